import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ChatContext, chatRoute } from './chat-route.ts'

/** Starts the chat route on this machine; port 0 selects any free port. */
export async function startChat(context: ChatContext, port: number) {
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/api/chat') {
      response.writeHead(404).end()
      return
    }
    chatRoute(request, response, context).catch((thrown: unknown) => {
      console.error(thrown)
      response.destroy()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
