import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Page } from 'tesseract.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawColumns, drawFlyer, errorRate, type FlyerLine, photograph } from './fixtures/flyer.ts'
import { type LocalOcr, localOcr, mergeScales, readLines } from './local-ocr.ts'
import type { OcrLine, OcrReading } from './ocr-port.ts'
import { createTesseractReader } from './tesseract-reader.ts'

const LINES: readonly FlyerLine[] = [
  ['Summer Jazz Festival', 90],
  ['Saturday, June 20, 2026 at 8:00 PM', 48],
  ['City Park Pavilion, 123 Main Street', 44],
  ['Doors open at 7 pm. Tickets $15 at the door.', 36],
]
const TRUTH = LINES.map(([text]) => text).join('\n')
// For tests of the reader itself: a picture with one line is read in a fraction of the time.
const TITLE: readonly FlyerLine[] = [['Summer Jazz Festival', 90]]
const signal = new AbortController().signal

let folder: string
let ocr: LocalOcr
// What the one reader of these tests has read, so that no picture is read twice.
const pages: Page[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ocr-'))
  const reader = createTesseractReader(folder)
  ocr = localOcr({
    folder,
    reader: {
      ...reader,
      async read(job, abort) {
        const page = await reader.read(job, abort)
        pages.push(page)
        return page
      },
    },
  })
})
afterAll(async () => {
  await ocr.close()
  await rm(folder, { recursive: true })
})

describe('a clean flyer', () => {
  test('is read without clean-up, with letter heights that distinguish a title from small print', async () => {
    const reading = await ocr.read({ tenant: 'home', image: await drawFlyer(LINES) }, signal)
    expect(errorRate(TRUTH, reading.text)).toBeLessThan(0.05)
    expect(reading).toMatchObject({ cleaned: false, width: 1000, height: 1200 })
    expect(reading.confidence).toBeGreaterThan(0.85)
    const heights = reading.lines.map(({ letterHeight }) => letterHeight)
    // The title takes two lines.
    const [titleHeight, smallPrint] = [
      Math.min(...heights.slice(0, 2)),
      Math.max(...heights.slice(2)),
    ]
    expect(titleHeight).toBeGreaterThan(smallPrint * 1.5)
    const tops = reading.lines.map(({ box }) => box.y)
    expect(tops).toEqual([...tops].sort((left, right) => left - right))
  })

  test('in German is read with its umlauts, also after a text in another language', async () => {
    const lines: readonly FlyerLine[] = [
      ['Großes Frühlingsfest', 90],
      ['Samstag, 9. Mai 2026, 15 Uhr', 50],
      ['Schützenhaus Nürnberg, Königstraße 5', 44],
    ]
    await ocr.read({ tenant: 'home', image: await drawFlyer(TITLE), languages: ['en'] }, signal)
    const reading = await ocr.read(
      { tenant: 'home', image: await drawFlyer(lines), languages: ['de'] },
      signal,
    )
    expect(errorRate(lines.map(([text]) => text).join('\n'), reading.text)).toBeLessThan(0.05)
  })
})

test('columns become separate lines, each with its own box', async () => {
  const image = await drawColumns('Autumn Concert', [
    ['Friday 20 November', 'Town Hall'],
    ['8:00 PM', '12 Main Street'],
  ])
  const { lines } = await ocr.read({ tenant: 'home', image, languages: ['en'] }, signal)
  expect(lines.map(({ text }) => text)).toEqual([
    'Autumn Concert',
    'Friday 20 November',
    'Town Hall',
    '8:00 PM',
    '12 Main Street',
  ])
  const [, friday, hall] = lines.map(({ box }) => box)
  expect((friday?.x ?? 0) + (friday?.width ?? 0)).toBeLessThan(hall?.x ?? 0)
})

/** Reads a photo, and says how many letters are wrong, also in the reading without clean-up. */
async function readPhoto(image: Uint8Array) {
  pages.length = 0
  // With all languages a picture takes four times as long; the clean flyer is read with them.
  const { text, cleaned } = await ocr.read({ tenant: 'home', image, languages: ['en'] }, signal)
  const [raw] = pages
  if (raw === undefined) throw new Error('Nothing was read.')
  return {
    cleaned,
    rate: errorRate(TRUTH, text),
    rawRate: errorRate(TRUTH, readLines(raw).text),
  }
}

describe('a photographed flyer', () => {
  test.each<[string, number, { paper: string; ink: string }]>([
    ['yellowed', -8, { paper: '#f4ead2', ink: '#402010' }],
    ['dark', 9, { paper: '#223344', ink: '#eeeeee' }],
  ])(
    '(%s, %i degrees) is read well, and not worse than without clean-up',
    async (_, degrees, inks) => {
      const photo = await photograph(await drawFlyer(LINES, inks), degrees)
      const { rate, rawRate } = await readPhoto(photo)
      expect(rate).toBeLessThan(0.1)
      // The noise may add or remove a letter in either reading.
      expect(rate).toBeLessThanOrEqual(rawRate + 0.03)
    },
  )

  test('(light, 4 degrees) with noise that is read as letters loses those and nothing else', async () => {
    const photo = await photograph(await drawFlyer(LINES), 4, '4')
    const { rate, rawRate } = await readPhoto(photo)
    expect(rate).toBeLessThan(0.03)
    expect(rate).toBeLessThanOrEqual(rawRate + 0.03)
  })

  test('that is too skewed to be read is read after clean-up', async () => {
    const photo = await photograph(await drawFlyer(LINES), 11)
    const { cleaned, rate, rawRate } = await readPhoto(photo)
    expect(rawRate).toBeGreaterThan(0.5)
    expect([cleaned, rate < 0.1]).toEqual([true, true])
  })

  test('that was taken sideways is read upright', async () => {
    const lying = await sharp(await drawFlyer(LINES))
      .rotate(90)
      .withMetadata({ orientation: 8 })
      .jpeg()
      .toBuffer()
    expect((await readPhoto(new Uint8Array(lying))).rate).toBeLessThan(0.05)
  })
})

test('a picture without text gives an empty text with confidence 0', async () => {
  const blank = await sharp({
    create: { width: 300, height: 200, channels: 3, background: '#aabbcc' },
  })
    .png()
    .toBuffer()
  expect(await ocr.read({ tenant: 'home', image: new Uint8Array(blank) }, signal)).toMatchObject({
    text: '',
    confidence: 0,
    lines: [],
  })
})

test('an aborted call returns at once, and the next picture is read by a new thread', async () => {
  const image = await drawFlyer(LINES)
  const controller = new AbortController()
  const request = { tenant: 'home', image, languages: ['en'] as const }
  const aborted = ocr.read(request, controller.signal)
  const waiting = ocr.read(request, signal)
  controller.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  expect(errorRate(TRUTH, (await waiting).text)).toBeLessThan(0.05)
})

test('a call that is aborted while the reader starts returns before it has started', async () => {
  const fresh = createTesseractReader(folder)
  const controller = new AbortController()
  const image = await drawFlyer(TITLE)
  const aborted = fresh.read({ image, languages: ['en'] }, controller.signal)
  const next = fresh.read({ image, languages: ['en'] }, signal)
  let isNextRead = false
  const read = next.then(() => {
    isNextRead = true
  })
  // The reader has begun to start and has not finished.
  await new Promise((resolve) => setImmediate(resolve))
  controller.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  expect(isNextRead).toBe(false)
  await read
  await fresh.close()
})

test('with twenty pictures waiting, the next one is refused as unavailable', async () => {
  const fresh = createTesseractReader(folder)
  const controller = new AbortController()
  const image = await drawFlyer(TITLE)
  const waiting = Array.from({ length: 20 }, () =>
    fresh.read({ image, languages: ['en'] }, controller.signal),
  )
  await expect(fresh.read({ image, languages: ['en'] }, signal)).rejects.toMatchObject({
    code: 'TOOL_RESOURCE_UNAVAILABLE',
  })
  controller.abort(new Error('gone'))
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(
    waiting.map(() => 'rejected'),
  )
  // Aborted calls hold their places until their turn has passed.
  await new Promise((resolve) => setImmediate(resolve))
  expect((await fresh.read({ image, languages: ['en'] }, signal)).blocks).not.toEqual([])
  await fresh.close()
})

describe('two scales of one picture', () => {
  const line = (text: string, y: number, size = 20, confidence = 0.9): OcrLine => ({
    text,
    confidence,
    box: { x: 100, y, width: size * text.length * 0.5, height: size },
    letterHeight: size,
  })
  const reading = (lines: readonly OcrLine[], width: number): OcrReading => ({
    text: lines.map(({ text }) => text).join('\n'),
    lines,
    confidence: 0.9,
    cleaned: true,
    width,
    height: width,
  })

  test('the headline that only the small one has is put where it stands, in the large size', () => {
    const full = reading([line('The choir presents', 100), line('Saturday 12 December', 600)], 1000)
    const small = reading(
      [line('The choir presents', 50, 10), line('MESSIAH', 120, 80), line('Saturday 12', 300, 10)],
      500,
    )
    const merged = mergeScales(full, small)
    expect(merged.text).toBe('The choir presents\nMESSIAH\nSaturday 12 December')
    expect(merged.lines[1]).toMatchObject({ letterHeight: 160, box: { x: 200, y: 240 } })
    expect(merged.width).toBe(1000)
  })

  test('a doubtful line of the small one is not added', () => {
    const full = reading([line('Saturday 12 December', 600)], 1000)
    expect(mergeScales(full, reading([line('M3SS|AH', 120, 80, 0.4)], 500))).toBe(full)
  })
})
