import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OcrPort } from '@surehand/reading'
import { z } from 'zod'
import { readAnswered } from './answered.ts'
import type { FieldConfidence } from './examine.ts'
import type { Source } from './read-case.ts'
import { isContainedPlace, isEqualName, isSameName, isSamePlace } from './same-name.ts'
import type { Answered } from './score.ts'

const Accepted = z.array(z.string().nullable()).optional()

const FolderCase = z.object({
  id: z.string(),
  kind: z.string(),
  language: z.string(),
  text: z.string().optional(),
  image: z.string().optional(),
  /** What OCR read of a picture that is not stored. */
  lines: z
    .array(
      z.object({
        text: z.string(),
        confidence: z.number(),
        box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
        letterHeight: z.number(),
      }),
    )
    .optional(),
  now: z.string(),
  zone: z.string(),
  locale: z.string(),
  place: z.string().optional(),
  expect: z.object({
    // null: the text is about no event.
    date: z.string().nullable(),
    time: z.string().nullish(),
    endDate: z.string().nullish(),
    endTime: z.string().nullish(),
    title: z.string().nullable(),
    place: z.string().nullish(),
    zone: z.string().nullish(),
  }),
  /** Other values that a careful person could also have written. */
  accept: z
    .object({
      date: Accepted,
      time: Accepted,
      endDate: Accepted,
      endTime: Accepted,
      title: Accepted,
      place: Accepted,
    })
    .optional(),
})
/** `equal` if the cases list every accepted wording, otherwise `similar`. */
export type Wording = 'equal' | 'similar'
export type FolderCase = z.infer<typeof FolderCase> & { readonly wording: Wording }

/** The cases of a folder: `cases.json`, and the pictures that it names. */
export function readCaseFolder(folder: string): readonly FolderCase[] {
  const cases = z
    .array(FolderCase)
    .parse(JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')))
  const wording = cases.some(({ accept }) => accept !== undefined) ? 'equal' : 'similar'
  return cases.map((one) => ({ ...one, wording }))
}

export const SCORED_FIELDS = ['date', 'time', 'title', 'place'] as const
export type ScoredField = (typeof SCORED_FIELDS)[number]

export type ExaminedFolderCase = {
  readonly one: FolderCase
  readonly right: Readonly<Record<ScoredField, boolean>>
  /** Absent if no end is expected. */
  readonly end?: boolean
  /** Absent if no zone is expected. */
  readonly zone?: boolean
  readonly confidence: FieldConfidence
  readonly answered: Answered
  readonly read: string
}

type Draft = {
  readonly event: Parameters<typeof readAnswered>[0]
  readonly confidence: FieldConfidence
}
export type FolderReader = {
  readonly folder: string
  readonly ocr: OcrPort
  readonly extract: (
    source: Source,
    context: { readonly now: number; readonly timeZone: string; readonly region?: string },
  ) => Draft
}

/** Reads a case as events.extract does for a caller of this locale and zone, and scores it. */
export async function examineFolderCase(
  one: FolderCase,
  { folder, ocr, extract }: FolderReader,
): Promise<ExaminedFolderCase> {
  const source = await readSource(one, folder, ocr)
  const region = /[-_]([A-Z]{2})\b/.exec(one.locale)?.[1]
  const { event, confidence } = extract(source, {
    now: Date.parse(one.now),
    timeZone: one.zone,
    ...(region === undefined ? {} : { region }),
  })
  const { expect } = one
  // By the clock of the event's own zone; without an expected zone, also by the caller's. Whether the
  // zone is right is a figure of its own.
  const [own, here] = [
    readAnswered(event, event.timezone),
    readAnswered(event, expect.zone ?? one.zone),
  ]
  const readings = [own, here].map((answered) => withoutGuesses(answered, confidence))
  const end = isEndRight(readings, one)
  return {
    one,
    right: {
      date: readings.some(({ day }) => accepts(one, 'date', day)),
      time: readings.some(({ time }) => accepts(one, 'time', time)),
      title: isTitleRight(readings[0], one),
      place: isPlaceRight(own.place, one),
    },
    ...(end === undefined ? {} : { end }),
    ...(typeof expect.zone === 'string'
      ? { zone: own.day === here.day && own.time === here.time }
      : {}),
    confidence,
    answered: readings[0] ?? own,
    read: source.text ?? '',
  }
}

/** A draft always has a start: with a confidence of 0 no date was found, and it says so. */
function withoutGuesses(answered: Answered, { date }: FieldConfidence): Answered {
  return date > 0 ? answered : { ...answered, day: undefined, time: undefined }
}

type AcceptedField = keyof NonNullable<FolderCase['accept']>

function accepts(
  { expect, accept }: FolderCase,
  field: AcceptedField,
  value: string | undefined,
): boolean {
  return [expect[field] ?? null, ...(accept?.[field] ?? [])].includes(value ?? null)
}

/** Absent if no end is expected, or if an answer without one is accepted. */
function isEndRight(readings: readonly Answered[], one: FolderCase): boolean | undefined {
  const { expect, accept } = one
  if ((expect.endDate ?? expect.endTime ?? null) === null) return undefined
  if (accept?.endTime?.includes(null)) return undefined
  return readings.some(
    ({ endDay, endTime }) =>
      (endDay === (expect.endDate ?? expect.date) || accepts(one, 'endDate', endDay)) &&
      accepts(one, 'endTime', endTime),
  )
}

/** Without an event there is no title, and a draft that says so has none. */
export function isTitleRight(
  answered: Answered | undefined,
  { expect, accept, wording }: FolderCase,
) {
  if (expect.title === null) return answered?.day === undefined
  const isSame = wording === 'equal' ? isEqualName : isSameName
  return [expect.title, ...(accept?.title ?? [])].some(
    (title) => title !== null && isSame(answered?.title ?? '', title),
  )
}

export function isPlaceRight(
  place: Answered['place'],
  { expect, accept, wording }: FolderCase,
): boolean {
  const isSame = wording === 'equal' ? isContainedPlace : isSamePlace
  return [expect.place ?? null, ...(accept?.place ?? [])].some((right) =>
    right === null || place === undefined
      ? (right ?? '') === '' && place === undefined
      : isSame(place, right),
  )
}

async function readSource(one: FolderCase, folder: string, ocr: OcrPort): Promise<Source> {
  if (one.lines !== undefined)
    return { text: one.lines.map((line) => line.text).join('\n'), lines: one.lines }
  if (one.image === undefined) return { text: one.text ?? '' }
  const image = new Uint8Array(readFileSync(join(folder, one.image)))
  const { text, lines } = await ocr.read({ tenant: 'exam', image }, new AbortController().signal)
  return { text, lines }
}
