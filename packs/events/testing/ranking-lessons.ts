import { join } from 'node:path'
import { dayOf } from '@surehand/dates'
import { MESSAGES } from '../src/extract/fixtures/sentences.ts'
import { type Features, rank, type Weights } from '../src/extract/rank.ts'
import { type Prepared, placeOptions, prepare, titleOptions } from '../src/extract/read-findings.ts'
import { sourceText } from '../src/extract/source-text.ts'
import { type FolderCase, isPlaceRight, isTitleRight, readCaseFolder } from './case-folder.ts'
import { generateCases } from './cases.ts'

/** Whose cases: our own, or those of an outsider. */
export type CaseSet =
  | 'own'
  | 'training author'
  | 'training author, 250 more'
  | 'first outsider'
  | 'second outsider'
  | 'third outsider'
  | 'fifth outsider'
export type Field = 'title' | 'place'

export type Option = {
  readonly text: string
  readonly features: Features
  readonly isRight: boolean
}
/** The candidates of one case, of which the right ones shall come first. */
export type Lesson = {
  readonly set: CaseSet
  readonly one: FolderCase
  readonly options: readonly Option[]
  /** How much it counts in the fitting. */
  readonly weight: number
}

const FOLDERS: readonly (readonly [CaseSet, string])[] = [
  ['own', 'development'],
  ['training author', 'development-own-3'],
  ['training author, 250 more', 'development-own-4'],
  ['first outsider', 'development-outside'],
  ['second outsider', 'development-outside-2'],
  ['third outsider', 'development-outside-3'],
  ['fifth outsider', 'development-outside-5'],
]
const GENERATED_SENTENCES = 120
// They are alike, and accept one wording each.
const MADE_WEIGHT = 0.3

/**
 * The written cases with their candidates, and sentences that are made for training alone. A place is
 * judged beside the title that these weights choose.
 */
export async function readLessons(
  field: Field,
  titleWeights: Weights,
): Promise<{ readonly written: readonly Lesson[]; readonly made: readonly Lesson[] }> {
  const toLesson = (set: CaseSet, weight: number) => (one: FolderCase) => ({
    weight,
    set,
    one,
    options: field === 'title' ? titlesOf(one) : placesOf(one, titleWeights),
  })
  const written = FOLDERS.flatMap(([set, name]) =>
    readCaseFolder(join(import.meta.dirname, 'fixtures', name))
      .filter(({ expect }) => expect.title !== null)
      .map(toLesson(set, 1)),
  )
  // What the tests promise counts as much as a written case.
  const made = [
    ...MESSAGES.map(messageCase).map(toLesson('own', 1)),
    ...(await generatedSentences()).map(toLesson('own', MADE_WEIGHT)),
  ]
  return { written, made }
}

function titlesOf(one: FolderCase): readonly Option[] {
  return titleOptions(prepareCase(one)).map(({ value: { title }, features }) => ({
    text: title,
    features,
    isRight: isTitleRight({ title, day: one.now.slice(0, 10), isAllDay: true }, one),
  }))
}

function placesOf(one: FolderCase, titleWeights: Weights): readonly Option[] {
  const prepared = prepareCase(one)
  const [title] = rank(titleOptions(prepared), titleWeights)
  return placeOptions(prepared, title?.value).map(({ value, features }) => ({
    text: [value.name, value.address ?? ''].join(' | '),
    features,
    isRight: isPlaceRight(value.name === '' ? undefined : value, one),
  }))
}

function prepareCase({ lines, text = '', now, zone, locale }: FolderCase): Prepared {
  const region = /[-_]([A-Z]{2})\b/.exec(locale)?.[1]
  const nowMs = Date.parse(now)
  return prepare(
    sourceText(lines?.map((line) => line.text).join('\n') ?? text, lines),
    { now: nowMs, timeZone: zone, ...(region === undefined ? {} : { region }) },
    dayOf(nowMs, zone),
  )
}

const WRITTEN_BY_US = { kind: 'sentence', zone: 'Europe/Berlin', wording: 'equal' } as const

function messageCase([text, title, start, place]: (typeof MESSAGES)[number]): FolderCase {
  return {
    ...WRITTEN_BY_US,
    id: text.slice(0, 30),
    language: 'en',
    locale: 'de-DE',
    text,
    now: '2026-11-18T09:00:00Z',
    expect: { date: start.slice(0, 10), title, place: place ?? null },
  }
}

async function generatedSentences(): Promise<readonly FolderCase[]> {
  const cases: FolderCase[] = []
  const options = { seed: 'ranking', count: GENERATED_SENTENCES, heldOut: 'without' } as const
  for await (const made of generateCases({ ...options, kinds: ['sentence'] }))
    cases.push({
      ...WRITTEN_BY_US,
      id: made.id,
      language: made.language,
      locale: `${made.language}-${made.region}`,
      zone: made.timeZone,
      text: made.given.text ?? '',
      now: new Date(made.now).toISOString(),
      expect: { date: made.answer.day, title: made.answer.title, place: made.answer.place?.name },
      accept: { title: [...(made.answer.otherTitles ?? [])] },
    })
  return cases
}
