import { MAX_DEPTH } from '../canonical.ts'
import { tooDeep } from '../json.ts'
import type { Pace } from './parse-in-pieces.ts'
import type { PartedText } from './parted-text.ts'

/**
 * Counts the members of all objects in a text, a part at a time: the colons outside strings. Throws
 * for a text that is nested too deeply, whatever else it holds.
 */
export async function countMembersInTurns(text: PartedText, pace: Pace): Promise<number> {
  let [members, depth, isInText] = [0, 0, false]
  for (let from = 0; from < text.length; from = text.endOfPart(from)) {
    countInPart(from, text.slice(from, text.endOfPart(from)))
    await pace()
  }
  return members

  function countInPart(from: number, part: string): void {
    for (let at = 0; at < part.length; at++) {
      const code = part.charCodeAt(at)
      if (isInText || code === 34) {
        // the engine finds the next quote faster than a loop
        const quote = part.indexOf('"', isInText ? at : at + 1)
        at = quote < 0 ? part.length : quote
        isInText = quote < 0 || isEscaped(text, from + quote)
      } else if (code === 58) members++
      else if (code === 123 || code === 91) {
        if (++depth > MAX_DEPTH) throw tooDeep()
      } else if (code === 125 || code === 93) depth--
    }
  }
}

/** Whether a quote stands behind an odd run of backslashes: then it is part of the text. */
function isEscaped(text: PartedText, quote: number): boolean {
  let escapes = 0
  while (text.codeAt(quote - 1 - escapes) === 92) escapes++
  return escapes % 2 === 1
}
