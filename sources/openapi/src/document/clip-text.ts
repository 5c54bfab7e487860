import { visibleText } from '@surehand/core/host'

/**
 * Clips a text and makes invisible characters visible. Apply it only once: the visible form would
 * be escaped again.
 */
export function clipVisible(text: string, length: number): string {
  return toVisible(clip(text, length))
}

export function isVisible(text: string): boolean {
  return visibleText(text) === text && text.isWellFormed()
}

/** The first characters of a text, never half a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function toVisible(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n').toWellFormed())
}
