import type { MadeCase } from './made-case.ts'
import { type Answered, type Score, score } from './score.ts'

/** How sure an extractor was of each field, 0 to 1. */
export type Sureness = {
  readonly title: number
  readonly date: number
  readonly time: number
  readonly place: number
  readonly overall: number
}

/** What an extractor made of a case; `read` is the text it had before it. */
export type Reading = {
  readonly answered: Answered
  readonly confidence: Sureness
  readonly read: string
}

export type Examined = {
  /** Without what was given: pictures are heavy, and the answer is known. */
  readonly made: Omit<MadeCase, 'given'>
  readonly score: Score
  readonly reading: Reading
  /** Why it could not be read at all; all is wrong then. */
  readonly failure?: string
}

const NOTHING: Reading = {
  answered: { isAllDay: false },
  confidence: { title: 0, date: 0, time: 0, place: 0, overall: 0 },
  read: '',
}
const ALL_WRONG: Score = { title: false, date: false, time: false, place: false }

/**
 * Puts a case to an extractor and marks what it says. An extractor that throws has it all wrong.
 */
export async function examine(
  one: MadeCase,
  read: (one: MadeCase) => Promise<Reading>,
): Promise<Examined> {
  const { given: _, ...made } = one
  try {
    const reading = await read(one)
    return { made, score: score(reading.answered, made.answer), reading }
  } catch (error) {
    return {
      made,
      score: ALL_WRONG,
      reading: NOTHING,
      failure: error instanceof Error ? error.message : String(error),
    }
  }
}

/** The share of right ones among those that had something to be right about. */
export function shareRight(examined: readonly Examined[], field: keyof Score): number | undefined {
  const marks = examined.flatMap(({ score: marked }) =>
    marked[field] === undefined ? [] : [marked[field]],
  )
  return marks.length === 0 ? undefined : marks.filter(Boolean).length / marks.length
}

export function isAllRight({ score: { title, date, time, place } }: Examined): boolean {
  return title && date && time && place
}
