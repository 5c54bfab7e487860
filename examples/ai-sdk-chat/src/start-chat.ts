import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Runtime } from '@surehand/core'
import type { LanguageModel } from 'ai'
import { chatRoute } from './chat-route.ts'
import { decisionPage } from './decision-page.ts'

export type ChatOptions = {
  readonly runtime: Runtime
  readonly model: LanguageModel
  readonly passphrase: string
  /** 0 selects any free port. */
  readonly port: number
}

export type Chat = { readonly url: string; readonly close: () => Promise<void> }

const read = (name: string) => readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8')

/**
 * Starts the chat on this machine: its page, its route, and the decision page for irreversible
 * actions.
 */
export async function startChat({ runtime, model, passphrase, port }: ChatOptions): Promise<Chat> {
  const files = new Map([
    ['/', { type: 'text/html', text: read('index.html') }],
    ['/style.css', { type: 'text/css', text: read('style.css') }],
    ['/chat.js', { type: 'text/javascript', text: read('chat.js') }],
    ['/fold-chunk.js', { type: 'text/javascript', text: read('fold-chunk.js') }],
  ])
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      console.error(thrown)
      response.destroy()
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url())
    const [, approvalId] = /^\/approvals\/(\w+)$/.exec(pathname) ?? []
    // A page of another site must not post in the name of the person who has this one open.
    if (
      request.method === 'POST' &&
      request.headers.origin !== undefined &&
      request.headers.origin !== url()
    )
      return void response.writeHead(403).end()
    if (approvalId !== undefined)
      return decisionPage(request, response, approvalId, { runtime, passphrase })
    if (pathname === '/api/chat' && request.method === 'POST')
      return chatRoute(request, response, {
        runtime,
        model,
        approvalUrl: (id) => `${url()}/approvals/${id}`,
      })
    const file = request.method === 'GET' ? files.get(pathname) : undefined
    if (file === undefined) return void response.writeHead(404).end()
    response
      .writeHead(200, {
        'content-type': `${file.type}; charset=utf-8`,
        'content-security-policy': "default-src 'self'",
      })
      .end(file.text)
  }

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: url(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
