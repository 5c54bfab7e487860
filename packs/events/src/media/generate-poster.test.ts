import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractSuite } from '@surehand/conformance'
import { type LocalOcr, localOcr } from '@surehand/reading'
import { errorRate } from '@surehand/reading/fixtures/flyer'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRuntime } from '../fixtures/local-world.ts'
import { createArtifacts, MIA, mediaWorld } from './fixtures/media-world.ts'
import { generatePoster } from './generate-poster.ts'
import type { PosterOrder } from './posters-port.ts'
import { openCanvas } from './providers/canvas.ts'
import { type Fonts, openFonts } from './providers/fonts.ts'
import { drawPoster, localPosters } from './providers/local-posters.ts'
import { posterContent } from './providers/poster-content.ts'
import { fitPosterText } from './providers/poster-text.ts'

const artifactStore = createArtifacts()

contractSuite(generatePoster, {
  open: mediaWorld(() => ({
    providers: { posters: localPosters(artifactStore) },
    effects: artifactStore.puts,
  })),
})

const STYLES = ['modern', 'classic', 'vibrant'] as const
const LONG =
  'The Extraordinarily Long and Winding International Festival of Experimental Chamber Music, Sound Art and Improvisation'
const ORDER: PosterOrder = {
  tenant: 'home',
  idempotencyKey: 'k1',
  title: 'Midsummer Night Jazz',
  style: 'modern',
  width: 1080,
  height: 1920,
}
const DETAILS = 'Saturday, 20 June 2026, 8 pm\nCity Park Pavilion\nThree bands, one warm night.'

let folder: string
let fonts: Fonts
let ocr: LocalOcr
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posters-'))
  fonts = await openFonts()
  ocr = localOcr({ folder })
})
afterAll(async () => {
  await ocr.close()
  await rm(folder, { recursive: true })
})

function call(input: Readonly<Record<string, unknown>>) {
  const posters = localPosters(artifactStore)
  return openRuntime([generatePoster], { posters }).call({
    tool: generatePoster.id,
    input,
    caller: MIA,
    surface: 'test',
  })
}

describe('a poster', () => {
  test('is a PNG of 1080×1920 at the returned URL, with its bytes only on request', async () => {
    const outcome = await call({ eventTitle: 'Midsummer Night Jazz' })
    if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome))
    const { imageUrl, imageBytes, provider } = outcome.data as Record<string, string>
    expect([imageBytes, provider]).toEqual([undefined, 'local'])
    const stored = artifactStore.artifacts.get(imageUrl ?? '')
    expect(stored?.mediaType).toBe('image/png')
    expect(await sharp(stored?.bytes).metadata()).toMatchObject({
      format: 'png',
      width: 1080,
      height: 1920,
    })
    const whole = await call({ eventTitle: 'Midsummer Night Jazz', includeBytes: true })
    expect(whole).toMatchObject({
      data: { imageUrl, imageBytes: Buffer.from(stored?.bytes ?? []).toString('base64') },
    })
  })

  test.each([
    [240, 240],
    [4096, 240],
    [300, 4096],
    [1200, 630],
  ])('has the requested size: %i×%i', async (width, height) => {
    for (const style of STYLES) {
      const bytes = await drawPoster(fonts, {
        ...ORDER,
        style,
        width,
        height,
        description: DETAILS,
      })
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width, height })
    }
  })

  test.each([
    { width: 239, height: 500 },
    { width: 500, height: 4097 },
    { width: 500.5, height: 500 },
  ])('of %o is refused', async (dimensions) => {
    expect(await call({ eventTitle: 'x', dimensions })).toMatchObject({
      status: 'failed',
      error: { code: expect.stringMatching(/^TOOL_INVALID_FIELD/) },
    })
  })

  test('is identical for the same order, and differs by title and style', async () => {
    const drawn = await Promise.all(
      [ORDER, ORDER, { ...ORDER, title: 'Midwinter Night Jazz' }].map((order) =>
        drawPoster(fonts, order),
      ),
    )
    expect([
      Buffer.compare(drawn[0] as Buffer, drawn[1] as Buffer),
      Buffer.compare(drawn[0] as Buffer, drawn[2] as Buffer) !== 0,
    ]).toEqual([0, true])
    const styles = await Promise.all(STYLES.map((style) => drawPoster(fonts, { ...ORDER, style })))
    expect(new Set(styles.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(3)
  })

  test.each(STYLES)('in %s style can be read completely', async (style) => {
    const image = await drawPoster(fonts, { ...ORDER, style, title: LONG, description: DETAILS })
    const { text } = await ocr.read(
      { tenant: 'home', image, languages: ['en'] },
      new AbortController().signal,
    )
    const read = text.replace(/\s+/g, ' ')
    // Ornaments before the title may be read as letters; everything after it must be there.
    expect(
      errorRate(`${LONG} ${DETAILS}`, read.slice(Math.max(0, read.indexOf('The Extra')))),
    ).toBeLessThan(0.06)
  })
})

describe('text', () => {
  const ROOM = {
    room: { width: 900, height: 1000 },
    unit: 1,
    look: { title: {}, lead: {}, body: { whiteSpace: 'pre-line' } },
  } as const

  test.each([
    ['a short one', 'Jazz', ''],
    ['a long one', LONG, DETAILS],
    ['one long word', 'Donaudampfschifffahrtsgesellschaftskapitänsjubiläum', 'Linz'],
    ['Japanese', '夏祭り花火大会と盆踊りの夕べ 2026', '8月15日（土）19時\n隅田川の河川敷にて'],
    ['Korean', '서울 여름 음악 축제', '6월 20일 토요일'],
    ['Arabic', 'مهرجان الموسيقى الصيفي', 'السبت ٢٠ يونيو'],
    ['Russian and Greek', 'Летний джаз · Καλοκαιρινή τζαζ', 'Суббота'],
    ['Hindi', 'ग्रीष्म संगीत समारोह', 'शनिवार'],
    ['the most there may be', 'W'.repeat(300), 'Lorem ipsum '.repeat(160)],
  ])('(%s) fits whole', async (_, title, description) => {
    const content = posterContent({ ...ORDER, title, description }, fonts)
    const canvas = await openCanvas(fonts, [content.title, content.lead, content.body])
    const fitted = await fitPosterText(canvas, content, ROOM)
    const texts = [fitted.title, fitted.lead, fitted.body].filter((text) => text !== undefined)
    expect(texts.map(({ isCut }) => isCut)).toEqual(texts.map(() => false))
    expect(texts.reduce((sum, { height }) => sum + height, 0)).toBeLessThanOrEqual(1000)
  })

  test('that fits at no size ends in an ellipsis, between two characters', async () => {
    const canvas = await openCanvas(fonts, ['दिल्ली'])
    const fitted = await canvas.fit({
      text: 'दिल्ली '.repeat(200),
      room: { width: 200, height: 60 },
      largest: 40,
      smallest: 20,
      style: {},
    })
    expect(fitted).toMatchObject({
      isCut: true,
      fontSize: 20,
      node: { text: expect.stringMatching(/^[\p{L}\p{M} ]+…$/u) },
    })
    expect(fitted.height).toBeLessThanOrEqual(60)
  })

  test('breaks no words if possible', async () => {
    const canvas = await openCanvas(fonts, ['Wonderful Extraordinarily'])
    const { node } = await canvas.fit({
      text: 'Wonderful Extraordinarily',
      room: { width: 500, height: 400 },
      largest: 200,
      smallest: 10,
      style: {},
    })
    expect(node.style).not.toHaveProperty('overflowWrap')
  })

  test('omits emoji, and refuses letters without a font before anything is made', async () => {
    expect(fonts.drawable('Party 🎉 time\n🎷')).toBe('Party time')
    const before = artifactStore.artifacts.size
    expect(await call({ eventTitle: 'Jazz งานวัด' })).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INVALID_FIELD_VALUE' },
    })
    expect(await call({ eventTitle: '🎉🎉' })).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INVALID_FIELD_VALUE' },
    })
    expect(artifactStore.artifacts.size).toBe(before)
  })

  test('that looks like markup is drawn as it is written', async () => {
    const image = await drawPoster(fonts, {
      ...ORDER,
      title: 'Rock <b>& Roll</b>',
      description: '</svg><script>',
    })
    const { text } = await ocr.read(
      { tenant: 'home', image, languages: ['en'] },
      new AbortController().signal,
    )
    expect(text.replace(/\s+/g, '')).toContain('</b>')
  })
})
