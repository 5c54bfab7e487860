import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Node's own server on a free port; `createHandler` receives the port. */
export function serve(createHandler: (port: number) => Handle): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.on('request', createHandler(port))
      resolve(port)
    })
  })
}

/** Reads the body as text, without any limit. */
export function withBody(request: IncomingMessage, use: (text: string) => void): void {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => use(text))
}

export function sendJson(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    .end(text)
}
