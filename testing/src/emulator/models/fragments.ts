const LONGEST = 7
// behind a backslash, behind \u and each of its digits, between the halves of a character
const AWKWARD = /\\$|\\u[0-9a-fA-F]{0,3}$|[\uD800-\uDBFF]$/

/** A text as a model would stream it, cut where a careless reader breaks: inside escapes and between surrogates. */
export function fragments(text: string): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (let index = 0; index < text.length; index++) {
    piece += text[index]
    if (piece.length < LONGEST && !AWKWARD.test(text.slice(Math.max(0, index - 5), index + 1)))
      continue
    pieces.push(piece)
    piece = ''
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** Arguments as a model writes them: what is not ASCII comes as an escape here and as itself there. */
export function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given
  return JSON.stringify(given ?? {}).replace(/[\u0080-\uD7FF\uE000-\uFFFF]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
