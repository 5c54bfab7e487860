import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OcrPort } from '@surehand/reading'
import { z } from 'zod'
import { readAnswered } from './answered.ts'
import type { FieldConfidence } from './examine.ts'
import type { Source } from './read-case.ts'
import { isSameName, isSamePlace } from './same-name.ts'
import type { Answered } from './score.ts'

const FolderCase = z.object({
  id: z.string(),
  kind: z.string(),
  language: z.string(),
  text: z.string().optional(),
  image: z.string().optional(),
  now: z.string(),
  zone: z.string(),
  locale: z.string(),
  place: z.string().optional(),
  expect: z.object({
    date: z.string(),
    time: z.string().nullish(),
    endDate: z.string().nullish(),
    endTime: z.string().nullish(),
    title: z.string(),
    place: z.string().nullish(),
    zone: z.string().nullish(),
  }),
})
export type FolderCase = z.infer<typeof FolderCase>

/** The cases of a folder: `cases.json`, and the pictures that it names. */
export function readCaseFolder(folder: string): readonly FolderCase[] {
  return z.array(FolderCase).parse(JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')))
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
  const [answered, here] = [
    readAnswered(event, event.timezone),
    readAnswered(event, expect.zone ?? one.zone),
  ]
  const hasEnd = (expect.endDate ?? expect.endTime ?? null) !== null
  const isEnd = ({ endDay, endTime }: Answered): boolean =>
    endDay === (expect.endDate ?? expect.date) && endTime === (expect.endTime ?? undefined)
  return {
    one,
    right: {
      date: [answered, here].some(({ day }) => day === expect.date),
      time: [answered, here].some(({ time }) => time === (expect.time ?? undefined)),
      title: isSameName(answered.title ?? '', expect.title),
      place: isSamePlace(answered.place, expect.place ?? ''),
    },
    ...(hasEnd ? { end: isEnd(answered) || isEnd(here) } : {}),
    ...(typeof expect.zone === 'string'
      ? { zone: answered.day === here.day && answered.time === here.time }
      : {}),
    confidence,
    answered,
    read: source.text ?? '',
  }
}

async function readSource(one: FolderCase, folder: string, ocr: OcrPort): Promise<Source> {
  if (one.image === undefined) return { text: one.text ?? '' }
  const image = new Uint8Array(readFileSync(join(folder, one.image)))
  const { text, lines } = await ocr.read({ tenant: 'exam', image }, new AbortController().signal)
  return { text, lines }
}
