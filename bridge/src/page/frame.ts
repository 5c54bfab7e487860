// Set as properties, which a policy against inline styles allows. The page's own style sheet cannot
// reach into the widget, and its `z-index` stays below.
const FIXED =
  'position:fixed;right:0;bottom:0;border:0;color-scheme:normal;z-index:2147483647;width:'
const SIZES = {
  closed: '88px;height:88px',
  opened: 'min(400px,100vw);height:min(660px,100dvh)',
}

/** The frame of the widget, in the corner of the page. */
export function createFrame(src: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  const { origin } = new URL(src)
  frame.title = title
  frame.allow = `microphone ${origin}`
  frame.src = src
  resizeFrame(frame, 'closed')
  document.documentElement.append(frame)
  return frame
}

export function resizeFrame(frame: HTMLIFrameElement, state: 'opened' | 'closed'): void {
  frame.style.cssText = FIXED + SIZES[state]
}
