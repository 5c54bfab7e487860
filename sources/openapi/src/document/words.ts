import { visibleText } from '@surehand/core/host'

/** Words of a document as everybody can see them, cut at a length. Once only: what was spelled out would be spelled out again. */
export function words(text: string, length: number): string {
  return visibleOf(cut(text, length))
}

export function isVisible(text: string): boolean {
  return visibleText(text) === text && text.isWellFormed()
}

/** The first characters of a text, never half of one. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function visibleOf(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n').toWellFormed())
}
