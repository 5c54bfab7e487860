import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The control: attacks are aimed at this server instead, which reads them and refuses them after a
// moment. What the other tenant feels of that is the machine's doing, not the server's.
const server = createServer((request, response) => {
  request.resume().once('end', () => setTimeout(() => response.writeHead(429).end(), 100))
}).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
process.on('disconnect', () => process.exit(0))
