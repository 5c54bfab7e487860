import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'
import { contractSuite } from '@surehand/conformance'
import { ToolError, type ToolErrorCode } from '@surehand/core'
import {
  encodeImageBytes,
  type ImageCleanUpPort,
  localImageCleanUp,
  MAX_IMAGE_BYTES,
} from '@surehand/reading'
import { drawFlyer, photograph } from '@surehand/reading/fixtures/flyer'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openRuntime } from '../fixtures/local-world.ts'
import { MIA, mediaWorld } from './fixtures/media-world.ts'
import { flashImageEdit } from './flash-image-edit.ts'

contractSuite(flashImageEdit, {
  open: mediaWorld(() => ({ providers: { imageCleanUp: localImageCleanUp() } })),
})

const HELLO = await drawFlyer([['Hello', 90]])

function edit(imageBytes: string, imageCleanUp: ImageCleanUpPort = localImageCleanUp()) {
  return openRuntime([flashImageEdit], { imageCleanUp }).call({
    tool: flashImageEdit,
    input: { imageBytes },
    caller: MIA,
  })
}

const failing = (code: ToolErrorCode): ImageCleanUpPort => ({
  edit: () => Promise.reject(new ToolError(code, 'The provider is unavailable.')),
})

describe('a photo of a flyer', () => {
  test('comes back cleaned up, as a PNG', async () => {
    const photo = await photograph(
      await drawFlyer([
        ['Summer Jazz Festival', 90],
        ['Saturday, June 20, 2026', 48],
        ['Doors at 7', 40],
      ]),
      6,
    )
    const outcome = await edit(encodeImageBytes(photo))
    if (outcome.status !== 'done') throw new Error(outcome.status)
    const { processedImageBytes, confidence, provider } = outcome.data
    expect([provider, outcome.warnings]).toEqual(['local', []])
    expect(confidence).toBeGreaterThan(0.6)
    expect((await sharp(Buffer.from(processedImageBytes, 'base64')).metadata()).format).toBe('png')
  })
})

test('an in-process caller may pass bytes', async () => {
  const runtime = openRuntime([flashImageEdit], { imageCleanUp: localImageCleanUp() })
  // The cast: the published schema is JSON, which has no bytes.
  const input = { imageBytes: HELLO as unknown as string }
  const outcome = await runtime.call({ tool: flashImageEdit, input, caller: MIA })
  expect(outcome).toMatchObject({ status: 'done', source: 'executed', data: { provider: 'local' } })
})

describe('when the clean-up fails', () => {
  test.each([
    'TOOL_EXTERNAL_SERVICE_ERROR',
    'TOOL_INTERNAL_ERROR',
    'TOOL_RATE_LIMIT_EXCEEDED',
  ] as const)('with %s the original picture is returned as a fallback', async (code) => {
    const original = encodeImageBytes(await drawFlyer([['Hello', 90]]))
    const outcome = await edit(original, failing(code))
    expect(outcome).toMatchObject({
      status: 'done',
      source: 'fallback',
      data: { processedImageBytes: original },
    })
  })
})

describe('an invalid picture', () => {
  test.each([
    ['text', Buffer.from('just a text')],
    [
      'an SVG',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="9" height="9"/></svg>',
      ),
    ],
  ])('(%s) is refused and not returned', async (_, bytes) => {
    expect(await edit(bytes.toString('base64'))).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INVALID_FIELD_VALUE' },
    })
  })

  test('(half a PNG) is a picture that was cut off: the original is returned, with a warning', async () => {
    const imageBytes = Buffer.from(HELLO.subarray(0, 2000)).toString('base64')
    expect(await edit(imageBytes)).toMatchObject({
      status: 'done',
      source: 'fallback',
      degraded: true,
      data: { processedImageBytes: imageBytes },
    })
  })

  test.each(['', 'not base64!', 'abc', 'a=bc', 'ab=='.repeat(2)])(
    '(%j) is refused as input',
    async (imageBytes) => {
      const outcome = await edit(imageBytes)
      expect(outcome).toMatchObject({
        status: 'failed',
        error: { details: { validation_errors: [{ field: 'imageBytes' }] } },
      })
    },
  )
})

describe('a picture that is too large', () => {
  test('in bytes is refused', async () => {
    for (const bytes of [MAX_IMAGE_BYTES + 1, MAX_IMAGE_BYTES + 12_000]) {
      const outcome = await edit(Buffer.alloc(bytes).toString('base64'))
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_INPUT_TOO_LARGE' } })
    }
  })

  test('in pixels is refused before it is decoded', async () => {
    const outcome = await edit(hugePng(60_000, 60_000).toString('base64'))
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INPUT_TOO_LARGE', details: { max_pixels: 48_000_000 } },
    })
  })

  test('of exactly the maximum of bytes is accepted', async () => {
    const seen: number[] = []
    const counting: ImageCleanUpPort = {
      edit: async ({ image }) => {
        seen.push(image.length)
        return { image: new Uint8Array(), mediaType: 'image/png', provider: 'none' }
      },
    }
    await edit(Buffer.alloc(MAX_IMAGE_BYTES).toString('base64'), counting)
    expect(seen).toEqual([MAX_IMAGE_BYTES])
  })
})

test('the schema for models is a base64 string', () => {
  const schema = flashImageEdit.input.toJson('input') as {
    readonly properties: Record<string, object>
  }
  expect(schema.properties.imageBytes).toMatchObject({ type: 'string', contentEncoding: 'base64' })
})

// A header that announces gigabytes, with almost no data.
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const parts: readonly (readonly [string, Buffer])[] = [
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.alloc(100_000))],
    ['IEND', Buffer.alloc(0)],
  ]
  const chunks = parts.flatMap(([type, data]) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    const body = Buffer.concat([Buffer.from(type), data])
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return [length, body, sum]
  })
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}
