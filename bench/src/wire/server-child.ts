import { describeError } from '../harness/parent.ts'
import { durable, httpContenders } from './contenders.ts'

/** What the parent process may ask of the server process while it serves. */
export type ServerOrder =
  | { readonly kind: 'cpu' }
  | { readonly kind: 'in process'; readonly callers: number; readonly timedMs: number }
export type Listening = { readonly port: number; readonly token?: string }
export type CpuUse = { readonly cpuUs: number }

const [id, databaseFile = ''] = process.argv.slice(2)

try {
  const contender = [...httpContenders, durable].find((one) => one.id === id)
  if (contender === undefined) throw new Error(`there is no contender ${id}`)
  const { port, token, inProcess } = await (await contender.load())(databaseFile)
  process.on('message', (order: ServerOrder) => {
    switch (order.kind) {
      case 'cpu': {
        const { user, system } = process.cpuUsage()
        return send({ cpuUs: user + system } satisfies CpuUse)
      }
      case 'in process':
        inProcess?.(order.callers, order.timedMs).then(send, sendError)
    }
  })
  send({ port, ...(token === undefined ? {} : { token }) } satisfies Listening)
} catch (thrown) {
  sendError(thrown)
}
// A regular exit, so that a CPU profile is written.
process.on('disconnect', () => process.exit(0))

function send(message: object): void {
  process.send?.(message)
}

function sendError(thrown: unknown): void {
  send({ error: describeError(thrown) })
}
