import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '@surehand/testing'
import sharp from 'sharp'
import { createWorker } from 'tesseract.js'
import { describe, expect, test } from 'vitest'
import { readWhen } from './answer.ts'
import { type CaseOptions, generateCases } from './cases.ts'
import { makeFacts } from './facts.ts'
import { type DrawnText, layOut, measureText } from './flyers/draw-flyer.ts'
import { makeFlyer } from './flyers/flyer.ts'
import { LAYOUTS } from './flyers/layouts.ts'
import type { GeneratedCase, Language } from './generated-case.ts'
import { possibleDays, possibleTimes } from './independent-reading.ts'
import { normalWords } from './normal-text.ts'
import { localTimeAt } from './zone-offset.ts'

const LANGUAGES: readonly Language[] = ['en', 'de', 'fr', 'es']

async function all(options: CaseOptions): Promise<readonly GeneratedCase[]> {
  const cases: GeneratedCase[] = []
  for await (const one of generateCases(options)) cases.push(one)
  return cases
}

const caseToday = ({ now, timeZone }: GeneratedCase): string => localTimeAt(now, timeZone).day

describe('sentences', async () => {
  const cases = await all({ seed: 'sentences', count: 300, kinds: ['sentence'] })

  test('an independent reader finds the same day', () => {
    const misread = cases.filter(
      (one) =>
        !possibleDays(one.given.text ?? '', one.language, caseToday(one)).has(one.answer.day),
    )
    expect(
      misread.map(({ given, now, answer }) => [given.text, new Date(now), answer.day]),
    ).toEqual([])
  })

  test('an independent reader finds the same times, and none if there are none', () => {
    const misread = cases.filter(({ given, answer: { time, endTime } }) => {
      const read = possibleTimes(given.text ?? '')
      return [time, endTime].some((one) => one !== undefined && !read.has(one))
    })
    expect(misread.map(({ given, answer }) => [given.text, answer])).toEqual([])
    expect(cases.filter(({ answer }) => answer.isAllDay !== (answer.time === undefined))).toEqual(
      [],
    )
  })

  test('the text contains the title, place and price of the answer', () => {
    const lacking = cases.filter(({ given, answer: { title, otherTitles = [], place, price } }) => {
      const words = new Set(normalWords(given.text ?? ''))
      const holds = (text: string): boolean =>
        normalWords(text).filter((word) => !isInflected(word, words)).length === 0
      const amount = price && price.amount > 0 ? String(price.amount).split('.') : []
      return (
        ![title, ...otherTitles].some(holds) ||
        (place && !holds(place.name)) ||
        (place?.address && !holds(place.address)) ||
        !amount.every((part) => words.has(part) || words.has(`${part}0`))
      )
    })
    expect(lacking.map(({ given, answer }) => [given.text, answer])).toEqual([])
  })

  test('no day is in the past, and no text occurs twice', () => {
    expect(cases.filter((one) => one.answer.day < caseToday(one))).toEqual([])
    expect(new Set(cases.map(({ given }) => given.text)).size).toBeGreaterThan(cases.length * 0.97)
  })
})

/** German inflects words after "in der" (Alte, Alten) and merges articles with prepositions. */
function isInflected(word: string, words: ReadonlySet<string>): boolean {
  return (
    words.has(word) ||
    words.has(`${word}n`) ||
    ['the', 'le', 'la', 'el', 'das', 'die', 'der'].includes(word)
  )
}

/** The box without the space above and below the letters, which tight lines share. */
function inkBox(run: DrawnText): DrawnText {
  const room = (run.bottom - run.top) * 0.2
  return {
    ...run,
    left: run.left + 1,
    right: run.right - 1,
    top: run.top + room,
    bottom: run.bottom - room,
  }
}

describe('flyers', () => {
  const sheets = LAYOUTS.flatMap((layout) =>
    LANGUAGES.flatMap((language) =>
      [1, 2, 3].map((index) => {
        const random = seededRandom(`${layout.name} ${language} ${index}`)
        const facts = makeFacts(random, language)
        return { layout, facts, sheet: layOut(random, makeFlyer(random, facts), layout) }
      }),
    ),
  )

  test('all text is on the sheet, and no text overlaps another', async () => {
    for (const { layout, sheet } of sheets) {
      const runs = await measureText(sheet)
      const outside = runs.filter(
        ({ left, top, right, bottom }) =>
          left < 0 || top < 0 || right > sheet.width || bottom > sheet.height,
      )
      expect(outside, layout.name).toEqual([])
      // The boxes of rotated text are larger than the text.
      const boxes = layout.name === 'ribbon' ? [] : runs.map(inkBox)
      const meeting = boxes.flatMap((one, index) =>
        boxes
          .slice(index + 1)
          .filter(
            (other) =>
              one.left < other.right &&
              other.left < one.right &&
              one.top < other.bottom &&
              other.top < one.bottom,
          ),
      )
      expect(meeting, `${layout.name}: ${runs.map(({ text }) => text).join(' / ')}`).toEqual([])
    }
  })

  test('an independent reader of the drawn text finds the same title, day, time and place', async () => {
    for (const { layout, facts, sheet } of sheets) {
      // A space may be a run of its own: where two fonts have it, either may draw it.
      const runs = await measureText(sheet)
      const text = runs
        .map((run) => run.text.trim())
        .filter(Boolean)
        .join(' ')
      const words = new Set(normalWords(text))
      const { day, time, endTime } = readWhen(facts.when)
      const today = localTimeAt(facts.now, facts.home.timeZone).day
      expect(
        normalWords(facts.occasion.title).filter((word) => !words.has(word)),
        layout.name,
      ).toEqual([])
      expect(
        normalWords(`${facts.venue.name} ${facts.address}`).filter((word) => !words.has(word)),
        layout.name,
      ).toEqual([])
      if (facts.when.kind !== 'weekly' && facts.when.kind !== 'monthly')
        expect(possibleDays(text, facts.language, today), text).toContain(day)
      for (const one of [time, endTime])
        if (one !== undefined) expect(possibleTimes(text), text).toContain(one)
    }
  })

  test('OCR reads the title', async () => {
    const [flyer] = await all({
      seed: 'ocr',
      count: 1,
      kinds: ['flyer'],
      layouts: ['centred'],
      languages: ['en'],
    })
    if (!flyer?.given.image) throw new Error('No flyer was drawn.')
    const data = dirname(fileURLToPath(import.meta.resolve('@tesseract.js-data/eng/package.json')))
    const worker = await createWorker('eng', 1, {
      langPath: join(data, '4.0.0_best_int'),
      cacheMethod: 'none',
      gzip: true,
    })
    const read = await worker.recognize(Buffer.from(flyer.given.image))
    await worker.terminate()
    expect(normalWords(read.data.text)).toEqual(
      expect.arrayContaining([...normalWords(flyer.answer.title)]),
    )
  })

  test('flyers are PNG, photos JPEG, and both can be decoded', async () => {
    const cases = await all({ seed: 'pictures', count: 8, kinds: ['flyer', 'photo'] })
    for (const { kind, given } of cases) {
      const { format } = await sharp(given.image).metadata()
      const { info } = await sharp(given.image).raw().toBuffer({ resolveWithObject: true })
      expect([kind, format]).toEqual([kind, kind === 'photo' ? 'jpeg' : 'png'])
      expect(Math.min(info.width, info.height)).toBeGreaterThan(500)
    }
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(['flyer', 'photo']))
  })
})

describe('pages', async () => {
  const cases = await all({ seed: 'pages', count: 168, kinds: ['page'] })

  test('an independent reader finds the same day and place', () => {
    const instants = /"(\d{4}-\d{2}-\d{2}T[^"]+)"/g
    for (const { given, language, answer, now, timeZone, layout } of cases) {
      const html = given.html ?? ''
      const machine = [...html.matchAll(instants)].map(([, text = '']) =>
        localTimeAt(Date.parse(text), answer.timeZone),
      )
      const days = new Set([
        ...possibleDays(html.replace(/&amp;/g, '&'), language, localTimeAt(now, timeZone).day),
        ...machine.map(({ day }) => day),
      ])
      if (answer.recurrence === undefined) expect(days, `${layout} ${html}`).toContain(answer.day)
      if (answer.time !== undefined)
        expect([...possibleTimes(html), ...machine.map(({ time }) => time)], html).toContain(
          answer.time,
        )
      expect(html).toContain(answer.place?.name)
    }
  })

  test('every form of structured data occurs, in every language', () => {
    expect(new Set(cases.map(({ layout }) => layout)).size).toBeGreaterThanOrEqual(7)
    expect(new Set(cases.map(({ language }) => language))).toEqual(new Set(LANGUAGES))
    expect(
      cases.filter(({ layout, given }) => layout === 'oembed' && given.oEmbed === undefined),
    ).toEqual([])
  })
})

describe('a run', () => {
  const shown = ({ given, ...rest }: GeneratedCase): unknown => ({
    ...rest,
    given: { ...given, image: given.image && Buffer.from(given.image).toString('base64') },
  })

  test('the same seed gives the same cases, another seed gives others', async () => {
    // The first four are one of each kind.
    const count = process.env.SUREHAND_FUZZ === undefined ? 4 : 10
    const [first, again, other] = [
      await all({ seed: 5, count }),
      await all({ seed: 5, count }),
      await all({ seed: 6, count }),
    ]
    expect(new Set(first.map(({ kind }) => kind)).size).toBe(4)
    expect(again.map(shown)).toEqual(first.map(shown))
    const answers = first.map(({ answer }) => JSON.stringify(answer))
    expect(other.filter(({ answer }) => answers.includes(JSON.stringify(answer)))).toEqual([])
  })

  test('exactly three layouts and the sentences of one language are held out', async () => {
    const sentences = await all({ seed: 1, count: 40, kinds: ['sentence'] })
    expect(
      new Set(sentences.filter(({ heldOut }) => heldOut).map(({ language }) => language)).size,
    ).toBe(1)
    expect(sentences.filter(({ heldOut }) => heldOut)).toHaveLength(10)
    expect(LAYOUTS.filter(({ heldOut }) => heldOut)).toHaveLength(3)
    expect(LAYOUTS.length).toBeGreaterThanOrEqual(12)
  })

  test('held-out cases can be excluded or selected', async () => {
    const without = await all({
      seed: 2,
      count: 20,
      heldOut: 'without',
      kinds: ['sentence', 'page'],
    })
    const only = await all({ seed: 2, count: 8, heldOut: 'only', kinds: ['sentence', 'page'] })
    expect(without.filter(({ heldOut }) => heldOut)).toEqual([])
    expect(only.filter(({ heldOut }) => !heldOut)).toEqual([])
    expect(only).toHaveLength(8)
  })
})
