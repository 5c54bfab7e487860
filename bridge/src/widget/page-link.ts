import type { Command, ToolCommand } from '../page/messages.ts'
import { VERSION } from '../page/messages.ts'
import { answerToolMessage, type ToolOffer } from './page-tools.ts'
import { isJson, nonceOf, type Report, readReport } from './read-report.ts'

/** How long a command waits for the page: to say `hello`, then to answer. */
export const HANDSHAKE_MS = 5_000
export const EXECUTE_MS = 10_000

export type Order = { readonly id: string; readonly command: Command | ToolCommand }

export type PageLink = {
  /** Resolves with the page's answer, or with an error of code `timeout`. Never rejects. */
  readonly execute: (order: Order) => Promise<Report>
  /** Asks the page to give the widget more or less room. */
  readonly resize: (state: 'opened' | 'closed') => void
}

export type PageLinkOptions = {
  /** The origins of the site. A page of any other origin is not answered. */
  readonly origins: readonly string[]
  /** What the page tells about itself: where the visitor is, how a navigation ended. */
  readonly onStatus: (report: Report) => void
  readonly onConnect?: (page: {
    readonly origin: string
    /** The visitor has asked the page for the widget. */
    readonly isCalled: boolean
  }) => void
  /** Tools for the browser's own agent (WebMCP). */
  readonly tools?: ToolOffer
}

type Waiting = {
  readonly resolve: (report: Report) => void
  readonly message: { readonly type: 'execute' | 'invoke' }
}

/**
 * The widget's end of the channel to the page that it is embedded in. It accepts one kind of
 * message on the window: a `hello` of the embedding page itself, from an origin of the site, with a
 * nonce that was not used before and one port. Everything else goes over that port.
 */
export function linkToPage(options: PageLinkOptions): PageLink {
  const { origins, onStatus, onConnect, tools } = options
  const usedNonces = new Set<string>()
  const waiting = new Map<string, Waiting>()
  let send: ((message: object) => void) | undefined
  let close = (): void => undefined
  let size: 'opened' | 'closed' = 'closed'
  // The script of WebMCP comes after the handshake, and only where the browser has tools.
  let hasTools = false

  addEventListener('message', (event) => {
    const { source, origin, data, ports } = event
    if (window.parent === window || source !== window.parent || !origins.includes(origin)) return
    const nonce = nonceOf(data)
    const [port, more] = ports
    if (!isHello(data) || nonce === undefined || usedNonces.has(nonce) || !port || more) return
    usedNonces.add(nonce)
    close()
    close = () => port.close()
    const reply = (message: object): void => port.postMessage({ ...message, nonce })
    port.onmessage = (message) => receive(message.data, nonce, reply)
    send = reply
    send({ type: 'hello', version: VERSION })
    send({ type: 'status', state: size })
    hasTools = false
    sendWaiting('execute')
    onConnect?.({ origin, isCalled: isJson(data) && data.open === true })
  })

  function sendWaiting(type: 'execute' | 'invoke'): void {
    for (const { message } of waiting.values()) if (message.type === type) send?.(message)
  }

  function receive(data: unknown, nonce: string, reply: (message: object) => void): void {
    if (nonceOf(data) !== nonce) return
    if (tools && answerToolMessage(data, tools, reply)) {
      if (hasTools) return
      hasTools = true
      sendWaiting('invoke')
      return
    }
    const report = readReport(data)
    if (report === undefined) return
    if (report.type === 'status') onStatus(report)
    else waiting.get(String(report.id))?.resolve(report)
  }

  function execute({ id, command }: Order): Promise<Report> {
    const isForTool = command.do === 'callTool'
    const message = { type: isForTool ? 'invoke' : 'execute', id, command } as const
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => end({ type: 'error', id, code: 'timeout', message: 'The page did not answer.' }),
        send === undefined ? HANDSHAKE_MS + EXECUTE_MS : EXECUTE_MS,
      )
      function end(report: Report): void {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(report)
      }
      waiting.set(id, { resolve: end, message })
      if (!isForTool || hasTools) send?.(message)
      else
        setTimeout(() => {
          const message = 'The browser of the visitor has no tools of pages.'
          if (!hasTools) end({ type: 'error', id, code: 'unsupported', message })
        }, HANDSHAKE_MS)
    })
  }

  return {
    execute,
    resize(state) {
      size = state
      send?.({ type: 'status', state })
    },
  }
}

const isHello = (data: unknown): boolean =>
  isJson(data) && data.type === 'hello' && data.version === VERSION
