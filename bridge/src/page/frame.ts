import type { Launcher } from './bridge.ts'
import { execute } from './execute.ts'
import { arrive } from './journey.ts'
import { readAgain, remember } from './memory.ts'
import { readMessage, VERSION } from './messages.ts'
import { loadScript, readPlace } from './natives.ts'
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
function start(launcher: Launcher): void {
  const { script, label } = launcher
  // Not by `URL`: the first use of a part of the browser's interface costs the page time.
  const origin = script.src.split('/', 3).join('/')
  // Until the widget has been opened, where the page has drawn it.
  let button = launcher.remove && launcher
  let port: MessagePort | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let reloadMs = RELOAD_MS
  const resize = (state: keyof typeof SIZES): void => {
    frame.style.cssText = FIXED + SIZES[state]
  }
  const frame = Object.assign(document.createElement('iframe'), {
    title: label,
    allow: 'microphone',
    src: script.src.replace(/[^/]*$/, `widget?key=${script.dataset.key}`),
    onload: connect,
  })
  resize('awaited')
  const load = (): void => {
    if (!frame.isConnected) document.documentElement.append(frame)
    else if (port && launcher.open) connect()
  }
  launcher.load = load
  load()

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
      button = button?.remove?.()
      resize('awaited')
      // The network was cut or the server is away: the conversation goes on when it is back.
      setTimeout(load, reloadMs)
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
        arrive(send)
        if ('modelContext' in document) loadScript(script, 'web-mcp', [port1, nonce])
      } else if (message.type === 'status') {
        if (message.state === 'opened') {
          remember('opened', null)
          button = button?.remove?.()
          launcher.open = false
        }
        if (!button) resize(message.state)
      } else execute(message.id, message.command, send, script.nonce)
    }
    const hello = { type: 'hello', version: VERSION, nonce, open: launcher.open, ...readPlace() }
    frame.contentWindow?.postMessage(hello, origin, [port2])
  }

  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || !frame.isConnected) return
    readAgain()
    connect()
  })
}

addEventListener('surehand:frame', (event) => start((event as CustomEvent<Launcher>).detail), {
  once: true,
})
