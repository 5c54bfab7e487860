import { randomBytes } from 'node:crypto'
import type { PackGiven } from '@surehand/core/host'
import { type PageOrder, PageReport } from '../bridge-messages.ts'
import { type SessionChannel, SessionEvent, type Tab } from './session-channel.ts'

const EVENTS_KEPT_MS = 5 * 60_000
const RESULTS_KEPT_MS = 15 * 60_000
const PAGE_KEPT_MS = 8 * 3_600_000
// Another node publishes into the same store; its events are found by looking.
const POLL_MS = 400
const CONNECTED_MS = 20_000

type Values = PackGiven['values']
type Session = { readonly tenant: string; readonly session: string }
type Given = { readonly values: Values; readonly now: () => number }

export type KnownPage = { readonly url?: string | undefined; readonly title?: string | undefined }

/** The channel to the widgets, and what the pages reported. */
export type SessionHub = SessionChannel & {
  readonly isConnected: (at: Session) => Promise<boolean>
  readonly page: (at: Session) => Promise<KnownPage>
  /** The commands of the last minutes, oldest first. */
  readonly orders: (at: Session) => Promise<readonly PageOrder[]>
  /** What the page answered to a command; undefined where it has not yet. */
  readonly report: (at: Session, commandId: string) => Promise<PageReport | undefined>
  /** Waits for the answer until the signal aborts. */
  readonly awaitReport: (at: Session, commandId: string, signal: AbortSignal) => Promise<PageReport>
}

const hubs = new WeakMap<Values, SessionHub>()

/** The hub over a store: providers and routes of one process share it. */
export function sessionHub(given: Given): SessionHub {
  const known = hubs.get(given.values)
  if (known !== undefined) return known
  const hub = createHub(given)
  hubs.set(given.values, hub)
  return hub
}

function createHub({ values, now }: Given): SessionHub {
  const bell = createBell()
  const node = randomBytes(3).toString('hex')
  let count = 0
  // Sorted by time, and unique over the nodes.
  const nextId = (): string =>
    `${now().toString(36).padStart(9, '0')}-${String(++count % 1e6).padStart(6, '0')}-${node}`

  async function report(at: Session, commandId: string): Promise<PageReport | undefined> {
    const stored = await values.get(at.tenant, resultKey(at, commandId))
    return stored === undefined ? undefined : PageReport.parse(JSON.parse(stored))
  }

  return {
    async publish(at, event) {
      const text = JSON.stringify(SessionEvent.parse(event))
      await values.set(at.tenant, `${eventPrefix(at)}${nextId()}`, text, EVENTS_KEPT_MS)
      bell.ring(eventPrefix(at))
    },
    subscribe: (tab, { after, signal }) => readEvents({ values, bell, now }, tab, after, signal),
    async receive({ tenant, session }, received) {
      const at = { tenant, session }
      if (received.type === 'hello' || received.type === 'status') {
        const { url, title } = received
        if (url !== undefined)
          await values.set(tenant, pageKey(at), JSON.stringify({ url, title }), PAGE_KEPT_MS)
        return
      }
      if (received.id === undefined) return
      const place = resultKey(at, received.id)
      // The first answer counts: a page that repeats itself changes nothing.
      const change = {
        expected: undefined,
        value: JSON.stringify(received),
        ttlMs: RESULTS_KEPT_MS,
      }
      await values.replace(tenant, place, change)
      bell.ring(place)
    },
    async isConnected(at) {
      return (await values.get(at.tenant, connectedKey(at))) !== undefined
    },
    async page(at) {
      const stored = await values.get(at.tenant, pageKey(at))
      return stored === undefined ? {} : (JSON.parse(stored) as KnownPage)
    },
    async orders(at) {
      const stored = await values.list(at.tenant, eventPrefix(at))
      return stored.flatMap(({ value }) => {
        const event = SessionEvent.parse(JSON.parse(value))
        return event.kind === 'execute' ? [event.order] : []
      })
    },
    report,
    async awaitReport(at, commandId, signal) {
      for (;;) {
        signal.throwIfAborted()
        const rung = bell.wait(resultKey(at, commandId), POLL_MS, signal)
        const found = await report(at, commandId)
        if (found !== undefined) return found
        await rung
      }
    },
  }
}

type Bell = ReturnType<typeof createBell>

/** Wakes those who wait in this process; the others look again by themselves. */
function createBell() {
  const waiting = new Map<string, Set<() => void>>()
  return {
    ring(name: string): void {
      for (const wake of waiting.get(name) ?? []) wake()
    },
    /** Ends with the next ring, after the time, or when the signal aborts. */
    wait(name: string, ms: number, signal: AbortSignal): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      const all = waiting.get(name) ?? new Set()
      waiting.set(name, all)
      all.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      return promise.finally(() => {
        clearTimeout(timer)
        all.delete(resolve)
        if (all.size === 0) waiting.delete(name)
      })
    },
  }
}

async function* readEvents(
  { values, bell, now }: Given & { readonly bell: Bell },
  tab: Tab,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ readonly id: string; readonly event: SessionEvent }> {
  const prefix = eventPrefix(tab)
  const seen = new Set<string>()
  let last = after ?? ''
  let aliveUntil = 0
  // A copied tab has the same session: the newest one is controlled, the others end.
  await values.set(tab.tenant, tabKey(tab), tab.tab, PAGE_KEPT_MS)
  while (!signal.aborted) {
    const rung = bell.wait(prefix, POLL_MS, signal)
    if ((await values.get(tab.tenant, tabKey(tab))) !== tab.tab) {
      yield { id: last, event: { kind: 'ended', reason: 'replaced' } }
      return
    }
    if (now() >= aliveUntil) {
      await values.set(tab.tenant, connectedKey(tab), tab.tab, CONNECTED_MS)
      aliveUntil = now() + CONNECTED_MS / 2
    }
    for (const { key, value } of await values.list(tab.tenant, prefix)) {
      const id = key.slice(prefix.length)
      if (id <= (after ?? '') || seen.has(id)) continue
      seen.add(id)
      last = id
      yield { id, event: SessionEvent.parse(JSON.parse(value)) }
    }
    await rung
  }
  await values.delete(tab.tenant, connectedKey(tab))
}

const eventPrefix = ({ session }: Pick<Session, 'session'>): string => `site/event/${session}/`
const pageKey = ({ session }: Session): string => `site/page/${session}`
const tabKey = ({ session }: Session): string => `site/tab/${session}`
const connectedKey = ({ session }: Session): string => `site/connected/${session}`
const resultKey = ({ session }: Session, id: string): string => `site/result/${session}/${id}`
