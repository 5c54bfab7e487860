/**
 * Trims text from a foreign schema and cuts it to a length. Invisible characters are made visible
 * later, when the tool is published.
 */
export function clipText(text: string, most: number): string {
  const trimmed = text.trim()
  if (trimmed.length <= most) return trimmed.toWellFormed()
  const cut = trimmed.slice(0, most - 1)
  // The cut may have split a surrogate pair.
  return `${cut.isWellFormed() ? cut : cut.replace(/[\uD800-\uDBFF]$/, '').toWellFormed()}…`
}
