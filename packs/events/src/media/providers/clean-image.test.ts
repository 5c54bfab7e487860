import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cleanImage } from './clean-image.ts'

const ALL = ['denoise', 'enhance_text', 'remove_background'] as const

test.each([
  [40_000, 1],
  [1, 40_000],
])(
  'a strip of %i by %i pixels is cleaned or refused with a code of the table',
  async (width, height) => {
    const strip = await sharp({ create: { width, height, channels: 3, background: '#888888' } })
      .png()
      .toBuffer()
    const trouble = await cleanImage(new Uint8Array(strip), ALL).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (trouble !== undefined)
      expect(trouble).toMatchObject({
        code: 'TOOL_INVALID_FIELD_VALUE',
        details: { field: 'imageBytes' },
      })
  },
)
