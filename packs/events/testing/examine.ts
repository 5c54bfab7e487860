import type { GeneratedCase } from './generated-case.ts'
import { type Answered, type Score, score } from './score.ts'

/** The confidence of an extractor in each field, 0 to 1. */
export type FieldConfidence = {
  readonly title: number
  readonly date: number
  readonly time: number
  readonly place: number
  readonly overall: number
}

/** The result of an extractor for a case; `read` is the text that it received. */
export type Reading = {
  readonly answered: Answered
  readonly confidence: FieldConfidence
  readonly read: string
}

export type ExaminedCase = {
  /** Without its input, because pictures are large. */
  readonly made: Omit<GeneratedCase, 'given'>
  readonly score: Score
  readonly reading: Reading
  /** The reason why it could not be read at all; then every field is wrong. */
  readonly failure?: string
}

const NOTHING: Reading = {
  answered: { isAllDay: false },
  confidence: { title: 0, date: 0, time: 0, place: 0, overall: 0 },
  read: '',
}
const ALL_WRONG: Score = { title: false, date: false, time: false, place: false }

/** Runs an extractor on a case and scores its result. If it throws, every field is wrong. */
export async function examine(
  one: GeneratedCase,
  read: (one: GeneratedCase) => Promise<Reading>,
): Promise<ExaminedCase> {
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

/** The share of cases with this field in which it is right. */
export function shareRight(
  examined: readonly ExaminedCase[],
  field: keyof Score,
): number | undefined {
  const marks = examined.flatMap(({ score: marked }) =>
    marked[field] === undefined ? [] : [marked[field]],
  )
  return marks.length === 0 ? undefined : marks.filter(Boolean).length / marks.length
}

export function isAllRight({ score: { title, date, time, place } }: ExaminedCase): boolean {
  return title && date && time && place
}
