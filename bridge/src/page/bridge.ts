import { isInUse } from './memory.ts'
import { loadScript } from './natives.ts'

// What a page loads: a button in the place of the widget's own, which takes over from it. The frame
// and all that talks to it (frame.ts) cost a page more than the rest of it, and wait for the visitor
// to reach for the button.

export type Launcher = {
  /** The script tag, as the site's owner wrote it. */
  readonly script: HTMLScriptElement
  readonly label: string
  /** Loads the widget; where `open`, it opens as soon as it is there. */
  load: () => void
  /** The visitor has asked for the widget, and it has not opened yet. */
  open?: boolean
  remove?: () => undefined
}

const RETRY_MS = 5_000
/** How long the page may be busy before the button is drawn all the same. */
const IDLE_MS = 2_000

// Not as SVG: the first such element of a page makes the browser read styles of its own for them.
const BUBBLE =
  'display:block;width:24px;height:24px;background:currentColor;clip-path:path("M4 5.5A2.5 2.5 0 0 1 6.5 3h11A2.5 2.5 0 0 1 20 5.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.6 4.2c-.5.4-1.2.1-1.2-.5V15A2.5 2.5 0 0 1 4 12.5z")'
const STYLE =
  'position:fixed;right:16px;bottom:16px;width:56px;height:56px;padding:16px;margin:0;border:0;border-radius:50%;box-sizing:border-box;cursor:pointer;color-scheme:light dark;background:light-dark(#4f46e5,#a5b4fc);color:light-dark(#fff,#1e1b4b);box-shadow:0 4px 14px #0000004d;z-index:2147483647'

function start(script: HTMLScriptElement): void {
  let isLoading = false
  const launcher: Launcher = {
    script,
    label: script.dataset.label ?? 'Assistant',
    load() {
      if (isLoading) return
      isLoading = true
      loadScript(script, 'frame', launcher).onerror = () => {
        // The network was cut or the server is away.
        isLoading = false
        setTimeout(launcher.load, RETRY_MS)
      }
    },
  }
  // It does not wait where it is in use in this tab, or an agent of the browser asks for its tools.
  if ('modelContext' in document || isInUse()) launcher.load()
  else drawButton(launcher)
}

function drawButton(launcher: Launcher): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.ariaLabel = launcher.label
  button.style.cssText = STYLE
  button.onpointerenter = button.onfocus = () => launcher.load()
  button.onclick = () => {
    button.ariaBusy = 'true'
    launcher.open = true
    launcher.load()
  }
  const icon = document.createElement('span')
  icon.style.cssText = BUBBLE
  button.append(icon)
  document.documentElement.append(button)
  launcher.remove = () => {
    button.remove()
    return undefined
  }
}

const script = document.currentScript as HTMLScriptElement
// In a frame of another site the visitor may be clicking on something else than they see.
// The page comes first, for a while: one that draws all the time is never idle.
// Safari has no requestIdleCallback, and takes the object for no delay.
const begin = (): unknown =>
  (window.requestIdleCallback ?? setTimeout)(() => start(script), { timeout: IDLE_MS } as object)
if (script?.src && window.top === window) {
  if ((document as { readonly prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', begin, { once: true })
  else begin()
}
