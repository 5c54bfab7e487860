import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** The ports of what runs outside the server under test. */
export type Elsewhere = {
  /**
   * The control: attacks are aimed at this server instead, which reads them and refuses them after a
   * moment. What the other tenant feels of that is the machine's doing, not the server's.
   */
  readonly control: number
  /** Where the attacker's webhooks go: it takes connections and never answers. */
  readonly silent: number
}

const control = createHttpServer((request, response) => {
  request.resume().once('end', () => setTimeout(() => response.writeHead(429).end(), 100))
})
const silent = createServer(() => undefined)
process.send?.({
  control: await listen(control),
  silent: await listen(silent),
} satisfies Elsewhere)
process.on('disconnect', () => process.exit(0))

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
