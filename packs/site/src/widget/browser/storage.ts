// Kept by the widget's origin for this tab, so that a conversation goes on over pages and reloads.
// The browser keeps it apart for each site that embeds the widget.

export type Entry = {
  readonly from: 'visitor' | 'agent'
  readonly text: string
  /** The call that it tells the end of. */
  readonly call?: string
  readonly options?: readonly { readonly title: string; readonly url: string }[]
}

export type Turn = { readonly id: string; readonly text: string; readonly spoken: boolean }

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
  /** The sentence that is being answered. */
  readonly turn: Turn | null
  /** The visitor has allowed the microphone. */
  readonly hasConsent: boolean
  /** It is on, and stays on when the agent opens another page. */
  readonly isListening: boolean
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
  isListening: false,
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

// A page that was left holds its lock until the browser has ended it, on a busy machine for seconds.
const LOCK_MS = 15_000

/**
 * A copied tab has a copy of all this. The tab that holds the lock of its name keeps it, and answers
 * a copy that asks; the copy begins a conversation of its own, so that two tabs never share one.
 */
export async function claimTab(): Promise<void> {
  if (!('locks' in navigator)) return
  const channel = new BroadcastChannel('surehand.tabs')
  const isMine = await new Promise<boolean>((resolve) => {
    const ended = new AbortController()
    const end = (result: boolean): void => {
      resolve(result)
      if (!result) ended.abort()
    }
    channel.onmessage = ({ data }) => {
      if (data?.held === stored.tab) end(false)
    }
    channel.postMessage({ wanted: stored.tab })
    setTimeout(end, LOCK_MS, false)
    navigator.locks
      .request(stored.tab, { signal: ended.signal }, () => {
        end(true)
        return new Promise(() => undefined)
      })
      .catch(() => undefined)
  })
  if (!isMine) {
    channel.close()
    stored = fresh()
    change({})
    return claimTab()
  }
  channel.onmessage = ({ data }) => {
    if (data?.wanted === stored.tab) channel.postMessage({ held: stored.tab })
  }
  channel.postMessage({ held: stored.tab })
}
