/** A stretch of text with its style; what stands in it is shown, never read as markup. */
export function line(style: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<div style="${style}">${escaped(text)}</div>`
}

export function box(style: string, ...children: readonly string[]): string {
  return `<div style="display:flex;${style}">${children.join('')}</div>`
}

export function column(style: string, ...children: readonly string[]): string {
  return box(`flex-direction:column;${style}`, ...children)
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/**
 * A size at which the text takes at most so many lines of this width; letters are about half as
 * wide as high.
 */
export function fitting(
  text: string,
  room: { width: number; lines: number; most: number },
): number {
  const longestWord = Math.max(...text.split(/\s+/).map((word) => word.length))
  const byWord = room.width / (longestWord * 0.64)
  const byLength = (room.width * room.lines * 0.9) / (text.length * 0.6)
  return Math.floor(Math.min(room.most, byWord, byLength))
}
