import { countMembers, refuseRepeatedKeys, tooLarge } from '../json.ts'
import { createJsonGuard } from './json-guard.ts'
import { type Pace, PIECE, parseInPieces } from './parse-in-pieces.ts'
import type { PartedText } from './parted-text.ts'

// They take about a quarter of a millisecond.
const MEMBERS_A_TIME = 2_500

/** What a text means; `problem` where its value is refused although it is JSON. */
export type ParsedInTurns = { readonly value: unknown; readonly problem?: unknown }

/**
 * Parses and checks as `parseJson` does, a piece at a time: two megabytes can take 300 ms, in which
 * nothing else would be served. Throws for a text that is no JSON or is nested too deeply, the
 * latter before any of it is parsed.
 */
export async function parseJsonInTurns(
  text: PartedText,
  maxBytes: number,
  pace: Pace,
  size = PIECE,
): Promise<ParsedInTurns> {
  if (text.byteLength > maxBytes) throw tooLarge(maxBytes)
  const count = countMembers(Number.POSITIVE_INFINITY)
  for (let from = 0; from < text.length; from = text.endOfPart(from)) {
    count.add(text.slice(from, text.endOfPart(from)))
    await pace()
  }
  const value = await parseInPieces(text, pace, size)
  // The guard refuses too many keys as soon as it meets them.
  try {
    refuseRepeatedKeys(await guardInTurns(value, maxBytes, pace), count.members())
    return { value }
  } catch (problem) {
    return { value, problem }
  }
}

/** Refuses what `guardJson` refuses, a part at a time; answers how many keys there are. */
export async function guardInTurns(value: unknown, maxBytes: number, pace: Pace): Promise<number> {
  const guard = createJsonGuard(value, maxBytes)
  while (!guard.run(MEMBERS_A_TIME)) await pace()
  return guard.keys()
}
