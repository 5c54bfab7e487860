// controls but tab and newline, zero-width and bidirectional marks, fillers, variation selectors, tags and private use:
// characters that change what a person reads without being read
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|[\u2028\u2029]|(?! )\p{Zs}/gu

/** The text with everything invisible spelled out, so that nobody says yes to what they can't see. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

/** The same for every text and key of a JSON value. */
export function visibleJson(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  if (Array.isArray(value)) return value.map(visibleJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [visibleText(key), visibleJson(member)]))
}
