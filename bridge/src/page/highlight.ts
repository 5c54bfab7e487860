import { behaviour } from './natives.ts'

// Drawn by the Web Animations API: the element's own style stays as it is, a policy against inline
// styles does not apply, and taking it back is one call.

const SHOWN_MS = 4_000
const COLOUR = '#4f46e5'
let shown: Animation[] = []

/** Outlines an element for a few seconds. */
export function highlight(element: HTMLElement): void {
  const outline = { outline: `3px solid ${COLOUR}`, outlineOffset: '3px' }
  const behavior = behaviour()
  element.scrollIntoView({ block: 'center', behavior })
  const animation = element.animate(
    [outline, outline, { ...outline, outlineColor: behavior === 'auto' ? COLOUR : 'transparent' }],
    { duration: SHOWN_MS, easing: 'ease-in' },
  )
  animation.id = 'surehand'
  shown.push(animation)
}

export function clearHighlights(): void {
  for (const animation of shown) animation.cancel()
  shown = []
}
