import { contenders, durable, type InProcess } from './contenders.ts'

/** What the server is told to do, beside serving. */
export type ServerOrder =
  | { readonly kind: 'cpu' }
  | { readonly kind: 'in process'; readonly callers: number; readonly timedMs: number }
export type Listening = { readonly port: number; readonly token?: string }
export type CpuTold = { readonly cpuUs: number }

const [id, place = ''] = process.argv.slice(2)

try {
  const contender = [...contenders, durable].find((one) => one.id === id)
  if (contender === undefined) throw new Error(`there is no contender ${id}`)
  const { port, token, inProcess } = await (await contender.load())(place)
  process.on('message', (order: ServerOrder) => {
    switch (order.kind) {
      case 'cpu': {
        const { user, system } = process.cpuUsage()
        return tell({ cpuUs: user + system } satisfies CpuTold)
      }
      case 'in process':
        inProcess?.(order.callers, order.timedMs).then((told: InProcess) => tell(told), fail)
    }
  })
  tell({ port, ...(token === undefined ? {} : { token }) } satisfies Listening)
} catch (thrown) {
  fail(thrown)
}
// a clean end, so that a profile is written
process.on('disconnect', () => process.exit(0))

function tell(message: object): void {
  process.send?.(message)
}

function fail(thrown: unknown): void {
  tell({ error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) })
}
