import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cleanImage, measureSkew } from './clean-image.ts'
import { drawFlyer, photograph } from './fixtures/flyer.ts'
import { histogramOf, quantile } from './grey-image.ts'
import { readGrey, toGrey } from './grey-sharp.ts'

const ALL = ['denoise', 'enhance_text', 'remove_background'] as const

test.each([
  [40_000, 1],
  [1, 40_000],
])('a strip of %i by %i pixels is cleaned or refused with an error code', async (width, height) => {
  const strip = await sharp({ create: { width, height, channels: 3, background: '#888888' } })
    .png()
    .toBuffer()
  const failure = await cleanImage(new Uint8Array(strip), ALL).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (failure !== undefined)
    expect(failure).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      details: { field: 'imageBytes' },
    })
})

test('a photo of a flyer comes back straight, on white, with dark text', async () => {
  const photo = await photograph(
    await drawFlyer([
      ['Summer Jazz Festival', 90],
      ['Saturday, June 20, 2026', 48],
      ['Doors at 7', 40],
    ]),
    6,
  )
  const { png, confidence } = await cleanImage(photo, ALL)
  expect(confidence).toBeGreaterThan(0.6)
  expect(quantile(histogramOf(await toGrey(sharp(png))), 0.5)).toBeGreaterThan(240)
  const small = await readGrey(new Uint8Array(png), { atLeast: 1, atMost: 800 })
  expect(Math.abs(measureSkew(small, 128))).toBeLessThan(0.5)
})
