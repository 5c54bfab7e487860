import stringWidth from 'fast-string-width'

/** How many terminal columns a text takes: wide characters count two, combining marks none. */
export function columnsOf(text: string): number {
  return stringWidth(text)
}

/** Shortens a text to so many columns; a text that was cut ends with `…`. */
export function truncate(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    used += columnsOf(character)
    if (used > columns - 1) break
    kept += character
  }
  return `${kept}…`
}
