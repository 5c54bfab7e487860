import { sha256 } from '@surehand/core/internal'
import type { Clock, ValueStore } from '@surehand/core/ports'

/** Remembers that something was used, in the background. */
export type UseNotes<T> = { readonly note: (name: string, used: T) => void }

// What is used all the time is written once in this time.
const MINUTE_MS = 60_000
// Uses are gathered for so long, so that no request waits for a write.
const GATHER_MS = 500
// Many names must not fill the memory; forgetting one costs a read of the store.
const MAX_NAMES = 10_000

/** `write` is called at most once a minute for each name in this process, and never by `note`. */
export function createUseNotes<T>(
  clock: Clock,
  write: (used: T, at: number) => Promise<void>,
): UseNotes<T> {
  const notedAt = new Map<string, number>()
  let pending: (() => Promise<void>)[] = []

  function writePending(): void {
    const writes = pending
    pending = []
    // A store that is out of reach loses a time that only people look at; the next use is written.
    for (const one of writes) void one().catch(() => undefined)
  }

  return {
    note(name, used) {
      const ticks = clock.ticks()
      if (ticks - (notedAt.get(name) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return
      if (notedAt.size >= MAX_NAMES) notedAt.clear()
      notedAt.set(name, ticks)
      const at = clock.now()
      if (pending.length === 0) clock.after(GATHER_MS, writePending)
      pending.push(() => write(used, at))
    },
  }
}

/** A token by its id. */
type TokenName = { readonly tenant: string; readonly id: string }

/** When tokens were last used, to the minute. */
export type TokenUses = {
  /** For `credential` of a signed-in caller. */
  readonly note: (credential: string) => void
  readonly read: (name: TokenName) => Promise<number | undefined>
}

/** In a store that all nodes share: at most one write a minute for each token, by all of them. */
export function storedTokenUses(values: ValueStore, clock: Clock): TokenUses {
  const keyOf = ({ id }: TokenName): string => `surehand.token-used:${sha256(id)}`
  const read = async (name: TokenName): Promise<string | undefined> =>
    values.get(name.tenant, keyOf(name))
  const notes = createUseNotes<TokenName>(clock, async (name, at) => {
    const expected = await read(name)
    if (expected !== undefined && at - Number(expected) < MINUTE_MS) return
    await values.replace(name.tenant, keyOf(name), { expected, value: String(at) })
  })
  return {
    note(credential) {
      const [tenant = '', id = ''] = credential.split('/')
      notes.note(credential, { tenant, id })
    },
    async read(name) {
      const stored = await read(name)
      return stored === undefined ? undefined : Number(stored)
    },
  }
}
