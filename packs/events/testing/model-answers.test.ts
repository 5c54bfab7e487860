import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { examineFolderCase, type FolderCase, readCaseFolder, SCORED_FIELDS } from './case-folder.ts'
import { readAnswers, readCasesWith, writeRequests } from './model-answers.ts'

const folder = mkdtempSync(join(tmpdir(), 'surehand-events-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CASE: FolderCase = {
  id: 'c1',
  kind: 'SMS',
  language: 'en',
  text: 'Concert on 12 December at 8pm in the Stadthalle',
  now: '2026-11-18T09:00:00+01:00',
  zone: 'Europe/Berlin',
  locale: 'en-GB',
  expect: { date: '2026-12-13', time: '20:00', title: 'Known to the author', place: 'Stadthalle' },
  wording: 'equal',
}
const ocr = {
  read: async () => ({
    text: 'Herbstkonzert',
    lines: [],
    ...{ confidence: 0.9, cleaned: false, width: 8, height: 8 },
  }),
}
const ANSWER = {
  ...{ title: 'Known to the author', description: null, startDay: '2026-12-13' },
  ...{ startTime: '20:00', endDay: null, endTime: null, timeZone: null, placeName: 'Stadthalle' },
  ...{ placeAddress: null, recurrence: null, exceptDays: null, unsure: [] },
}

test('a request has the instruction, the data, the schema and the name of the picture', async () => {
  writeFileSync(join(folder, 'c2.png'), '')
  const { text: _, ...withoutText } = CASE
  const { extractCase, requests } = readCasesWith(new Map())
  for (const one of [CASE, { ...withoutText, id: 'c2', image: 'c2.png' }])
    await examineFolderCase(one, { folder, ocr, extract: extractCase(one) })
  const file = join(folder, 'requests.jsonl')
  writeRequests(file, requests())

  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const read = lines.map((line) => JSON.parse(line) as Line)
  expect(read.map(({ id, request }) => [id, request.image])).toEqual([
    ['c1', undefined],
    ['c2', 'c2.png'],
  ])
  expect(read.map(({ request }) => JSON.parse(request.prompt))).toMatchObject([
    { today: '2026-11-18', weekday: 'Wednesday', locale: 'en-GB', text: CASE.text },
    { textReadFromThePicture: 'Herbstkonzert' },
  ])
  expect(Object.keys(read[0]?.request.schema.properties ?? {})).toEqual(Object.keys(ANSWER))
  expect(lines.join()).not.toContain('Known to the author')
})

type Line = {
  readonly id: string
  readonly request: {
    readonly prompt: string
    readonly image?: string
    readonly schema: { readonly properties: object }
  }
}

test('a case is read with its recorded answer; without one, or with a wrong one, offline', async () => {
  const file = join(folder, 'answers.jsonl')
  const lines = [
    { id: 'c1', answer: ANSWER },
    { id: 'c2', answer: { ...ANSWER, startDay: 'tomorrow' } },
  ]
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { extractCase } = readCasesWith(readAnswers(file))
  const dates = await Promise.all(
    ['c1', 'c2', 'c3'].map(async (id) => {
      const one = { ...CASE, id }
      return (await examineFolderCase(one, { folder, ocr, extract: extractCase(one) })).right.date
    }),
  )
  expect(dates).toEqual([true, false, false])
})

test('with recorded answers of a model, the goals are reached, and what is sure is right', async () => {
  const set = join(import.meta.dirname, 'fixtures', 'development-outside-6')
  const { extractCase } = readCasesWith(readAnswers(join(set, 'answers.jsonl')))
  // Every third, to save time; `npm run bench -- events --cases` reads all of them.
  const cases = readCaseFolder(set).filter((_, index) => index % 3 === 0)
  const examined = await Promise.all(
    cases.map((one) => examineFolderCase(one, { folder, ocr, extract: extractCase(one) })),
  )
  const shareRight = (marks: readonly boolean[]) => marks.filter(Boolean).length / marks.length
  const shares = SCORED_FIELDS.map((field) => shareRight(examined.map(({ right }) => right[field])))
  for (const [index, least] of [0.98, 0.98, 0.95, 0.98].entries())
    expect(shares[index], SCORED_FIELDS[index]).toBeGreaterThanOrEqual(least)
  const sure = SCORED_FIELDS.flatMap((field) =>
    examined.flatMap(({ confidence, right }) => (confidence[field] >= 0.8 ? [right[field]] : [])),
  )
  expect(sure.length).toBeGreaterThan(2 * examined.length)
  expect(shareRight(sure)).toBeGreaterThanOrEqual(0.95)
}, 120_000)
