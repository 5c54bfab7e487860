import { change, state } from './storage.ts'

/** An event of the server; its members depend on its kind. */
export type ServerEvent = Readonly<Record<string, unknown>> & { readonly kind: string }

type Options = {
  /** May take its time: later events do not wait for it, but it is repeated after a reload. */
  readonly onEvent: (event: ServerEvent) => Promise<void> | void
  readonly onState: (state: 'connected' | 'lost' | 'refused') => void
}

const WAITS_MS = [200, 1_000, 2_000, 5_000]
// The server sends something every 15 s: a connection that is silent for longer is dead.
const SILENCE_MS = 40_000

/** Reads the event stream, again and again, from where it was left. */
export async function readStream({ onEvent, onState }: Options): Promise<void> {
  const open: string[] = []
  for (let failures = 0; state().token !== null; ) {
    const before = state().cursor
    const status = await readOnce(handle).catch(() => 0)
    if (status === 401 || status === 403 || status === 404) return onState('refused')
    failures = state().cursor === before ? failures + 1 : 0
    onState('lost')
    const wait = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)]
    await new Promise((resolve) => setTimeout(resolve, wait))
  }

  async function readOnce(take: (id: string, data: string) => void): Promise<number> {
    const { token, tab, cursor } = state()
    const controller = new AbortController()
    const response = await fetch(`/site/stream?tab=${tab}`, {
      signal: controller.signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(cursor === '' ? {} : { 'last-event-id': cursor }),
      },
    })
    if (!response.ok || response.body === null) return response.status
    onState('connected')
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let rest = ''; ; ) {
      const timer = setTimeout(() => controller.abort(), SILENCE_MS)
      const { done, value = '' } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return 200
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const id = /^id: (.*)$/m.exec(block)?.[1]
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (id !== undefined && data !== undefined) take(id, data)
      }
    }
  }

  function handle(id: string, data: string): void {
    const { handled, cursor } = state()
    if (handled.includes(id) || open.includes(id) || id <= cursor) return
    open.push(id)
    Promise.resolve(onEvent(JSON.parse(data)))
      .catch(() => undefined)
      .finally(() => {
        open.splice(open.indexOf(id), 1)
        const done = [...state().handled, id]
        const earliest = open.toSorted()[0]
        const isPast = (one: string): boolean => earliest === undefined || one < earliest
        const past = [...done.filter(isPast), state().cursor].toSorted()
        change({
          cursor: past.at(-1) ?? '',
          handled: done.filter((one) => !isPast(one)),
        })
      })
  }
}
