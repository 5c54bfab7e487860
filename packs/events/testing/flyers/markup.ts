/** A text with its style; the text is escaped. */
export function line(style: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<div style="${style}">${escapeHtml(text)}</div>`
}

export function box(style: string, ...children: readonly string[]): string {
  return `<div style="display:flex;${style}">${children.join('')}</div>`
}

export function column(style: string, ...children: readonly string[]): string {
  return box(`flex-direction:column;${style}`, ...children)
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The font size at which a text fits; letters are assumed to be half as wide as high. */
export function fitFontSize(
  text: string,
  room: { width: number; lines: number; most: number },
): number {
  const longestWord = Math.max(...text.split(/\s+/).map((word) => word.length))
  const byWord = room.width / (longestWord * 0.64)
  const byLength = (room.width * room.lines * 0.9) / (text.length * 0.6)
  return Math.floor(Math.min(room.most, byWord, byLength))
}
