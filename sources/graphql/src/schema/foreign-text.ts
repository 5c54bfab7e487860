/** A foreign text that a person or a model reads, cut to a length; what is invisible in it is shown by whoever publishes it. */
export function clipped(text: string, most: number): string {
  const trimmed = text.trim()
  if (trimmed.length <= most) return trimmed.toWellFormed()
  const cut = trimmed.slice(0, most - 1)
  // half a character at the end is none
  return `${cut.isWellFormed() ? cut : cut.replace(/[\uD800-\uDBFF]$/, '').toWellFormed()}…`
}
