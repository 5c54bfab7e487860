import { execute } from './execute.ts'
import { createFrame, resizeFrame } from './frame.ts'
import { arrive } from './journey.ts'
import { readAgain } from './memory.ts'
import { readMessage, VERSION } from './messages.ts'
import { pageTitle, pageUrl } from './natives.ts'
import type { Report } from './reply.ts'

/** How long the widget may take to answer the page's `hello`. */
const HANDSHAKE_MS = 5_000

// The page speaks first, to the widget's exact origin, and sends along one end of a message channel.
// It listens to nothing but that channel: other windows have no way to say anything to it.
function start(script: HTMLScriptElement): void {
  const { origin } = new URL(script.src)
  const { key = '', label = 'Assistant' } = script.dataset
  const frame = createFrame(`${origin}/site/widget?key=${encodeURIComponent(key)}`, label)
  let port: MessagePort | undefined

  function connect(): void {
    port?.close()
    const { port1, port2 } = new MessageChannel()
    port = port1
    const nonce = crypto.getRandomValues(new Uint32Array(5)).join('-')
    let isKnown = false
    const send = (report: Report): void => port1.postMessage({ ...report, nonce })
    const timer = setTimeout(() => {
      port1.close()
      frame.remove()
    }, HANDSHAKE_MS)
    port1.onmessage = ({ data }) => {
      const message = readMessage(data)
      if (message?.nonce !== nonce || (message.type === 'hello') === isKnown) return
      if (message.type === 'hello') {
        isKnown = true
        clearTimeout(timer)
        send({ type: 'status', state: 'ready', url: pageUrl(), title: pageTitle() })
        arrive(send)
        if ('modelContext' in document)
          document.documentElement.append(
            Object.assign(document.createElement('script'), {
              src: `${origin}/site/web-mcp.js`,
              onload: () =>
                dispatchEvent(new CustomEvent('surehand:tools', { detail: [port1, nonce] })),
            }),
          )
      } else if (message.type === 'status') resizeFrame(frame, message.state)
      else execute(message.id, message.command, send, script.nonce)
    }
    const hello = { type: 'hello', version: VERSION, nonce, url: pageUrl(), title: pageTitle() }
    frame.contentWindow?.postMessage(hello, origin, [port2])
  }

  frame.addEventListener('load', connect)
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    readAgain()
    connect()
  })
}

/** When the page has loaded and the browser has time: the widget must not delay the page. */
function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  const later = (): unknown => (window.requestIdleCallback ?? setTimeout)(run)
  if (document.readyState === 'complete') later()
  else addEventListener('load', later, { once: true })
}

const script = document.currentScript as HTMLScriptElement
// In a frame of another site the visitor may be clicking on something else than they see.
const begin = (): void => whenIdle(() => start(script))
if (script?.src && window.top === window) {
  if ((document as { readonly prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', begin, { once: true })
  else begin()
}
