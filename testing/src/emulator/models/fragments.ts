const MAX_FRAGMENT_LENGTH = 7
// A text of megabytes is not sent in hundreds of thousands of events.
const MAX_FRAGMENTS = 5_000
// After a backslash, after \u and each of its digits, and between the halves of a surrogate pair.
const SPLIT_POINT = /\\$|\\u[0-9a-fA-F]{0,3}$|[\uD800-\uDBFF]$/

/**
 * Splits a text as a model would stream it, at the points that break careless parsers: inside
 * escapes and between surrogates.
 */
export function splitIntoFragments(text: string): readonly string[] {
  const maxLength = Math.max(MAX_FRAGMENT_LENGTH, Math.ceil(text.length / MAX_FRAGMENTS))
  const pieces: string[] = []
  let piece = ''
  for (let index = 0; index < text.length; index++) {
    piece += text[index]
    if (
      piece.length < maxLength &&
      !SPLIT_POINT.test(text.slice(Math.max(0, index - 5), index + 1))
    )
      continue
    pieces.push(piece)
    piece = ''
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** Writes arguments as a model does: some non-ASCII characters are escaped, others are not. */
export function writeArguments(given: unknown): string {
  if (typeof given === 'string') return given
  return JSON.stringify(given ?? {}).replace(/[\u0080-\uD7FF\uE000-\uFFFF]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
