import { execute } from './execute.ts'
import { arrive } from './journey.ts'
import { readAgain } from './memory.ts'
import { readMessage, VERSION } from './messages.ts'
import { insert, readPlace } from './natives.ts'
import type { Report } from './reply.ts'

/** How long the widget may take to answer the page's `hello`. */
const HANDSHAKE_MS = 5_000
/** When it is loaded again after that; twice as long every time. */
const RELOAD_MS = 5_000

// Set as properties, which a policy against inline styles allows. The page's own style sheet cannot
// reach into the widget, and its `z-index` stays below.
const FIXED =
  'position:fixed;right:0;bottom:0;border:0;color-scheme:normal;z-index:2147483647;width:'
const SIZES = {
  // Not shown before the widget has answered: an error page of the browser would be in its place.
  awaited: '0;display:none',
  closed: '88px;height:88px',
  opened: 'min(400px,100vw);height:min(660px,100dvh)',
}

// The page speaks first, to the widget's exact origin, and sends along one end of a message channel.
// It listens to nothing but that channel: other windows have no way to say anything to it.
function start(script: HTMLScriptElement): void {
  // Not by `URL`: the first use of a part of the browser's interface costs the page time.
  const origin = script.src.split('/', 3).join('/')
  const { key = '', label = 'Assistant' } = script.dataset
  let port: MessagePort | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let reloadMs = RELOAD_MS
  const resize = (state: keyof typeof SIZES): void => {
    frame.style.cssText = FIXED + SIZES[state]
  }
  const frame = insert('iframe', {
    title: label,
    allow: `microphone ${origin}`,
    src: `${origin}/site/widget?key=${encodeURIComponent(key)}`,
    onload: connect,
  })
  resize('awaited')

  function connect(): void {
    port?.close()
    clearTimeout(timer)
    const { port1, port2 } = new MessageChannel()
    port = port1
    const nonce = crypto.getRandomValues(Uint32Array.of(0, 0, 0, 0, 0)).join('-')
    let isKnown = false
    const send = (report: Report): void => port1.postMessage({ ...report, nonce })
    timer = setTimeout(() => {
      port1.close()
      frame.remove()
      resize('awaited')
      // The network was cut or the server is away: the conversation goes on when it is back.
      setTimeout(() => document.documentElement.append(frame), reloadMs)
      reloadMs *= 2
    }, HANDSHAKE_MS)
    port1.onmessage = ({ data }) => {
      const message = readMessage(data)
      if (message?.nonce !== nonce || (message.type === 'hello') === isKnown) return
      if (message.type === 'hello') {
        isKnown = true
        clearTimeout(timer)
        reloadMs = RELOAD_MS
        send({ type: 'status', state: 'ready', ...readPlace() })
        if (hasPageBefore()) arrive(send)
        if ('modelContext' in document)
          insert('script', {
            src: `${origin}/site/web-mcp.js`,
            onload: () =>
              dispatchEvent(new CustomEvent('surehand:tools', { detail: [port1, nonce] })),
          })
      } else if (message.type === 'status') resize(message.state)
      else execute(message.id, message.command, send, script.nonce)
    }
    const hello = { type: 'hello', version: VERSION, nonce, ...readPlace() }
    frame.contentWindow?.postMessage(hello, origin, [port2])
  }

  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    readAgain()
    connect()
  })
}

type Navigated = {
  readonly navigation?: { readonly activation?: { readonly from: unknown } | null }
}

/** Whether a page of the site was open in this tab before; also where the browser cannot tell. */
const hasPageBefore = (): boolean => (window as Navigated).navigation?.activation?.from !== null

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
