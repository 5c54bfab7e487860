// Kept by the widget's origin for this tab, so that a conversation goes on over pages and reloads.
// The browser keeps it apart for each site that embeds the widget.

export type Entry = {
  readonly from: 'visitor' | 'agent'
  readonly text: string
  readonly options?: readonly { readonly title: string; readonly url: string }[]
}

export type Stored = {
  readonly tab: string
  readonly token: string | null
  /** The newest event before those that are not handled yet. */
  readonly cursor: string
  /** Events after the cursor that are handled. */
  readonly handled: readonly string[]
  readonly log: readonly Entry[]
  readonly isOpen: boolean
  readonly approval: string | null
  /** The turn that is being answered. */
  readonly turn: string | null
  /** The visitor has allowed the microphone. */
  readonly hasConsent: boolean
}

const KEY = 'surehand.widget'
const MAX_ENTRIES = 60

export const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

const fresh = (): Stored => ({
  tab: `tab-${newId()}`,
  token: null,
  cursor: '',
  handled: [],
  log: [],
  isOpen: false,
  approval: null,
  turn: null,
  hasConsent: false,
})

function read(): Stored {
  try {
    return { ...fresh(), ...JSON.parse(sessionStorage.getItem(KEY) ?? '{}') }
  } catch {
    return fresh()
  }
}

let stored = read()

export const state = (): Stored => stored

export function change(next: Partial<Stored>): void {
  stored = { ...stored, ...next, log: (next.log ?? stored.log).slice(-MAX_ENTRIES) }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(stored))
  } catch {
    // Without storage the conversation ends with the page.
  }
}

const LOCK_MS = 1_000

/**
 * A copied tab has a copy of all this. The tab that holds the lock of its name keeps it; a copy
 * begins a conversation of its own, so that two tabs never share one.
 */
export async function claimTab(): Promise<void> {
  if (!('locks' in navigator)) return
  const isMine = await new Promise<boolean>((resolve) => {
    navigator.locks
      .request(stored.tab, { signal: AbortSignal.timeout(LOCK_MS) }, () => {
        resolve(true)
        return new Promise(() => undefined)
      })
      .catch(() => resolve(false))
  })
  if (isMine) return
  stored = fresh()
  change({})
  await claimTab()
}
