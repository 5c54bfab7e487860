import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'
import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { googleFailure, withoutKey } from './google-failure.ts'

// Rows of five dots; the leftmost is 16.
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 31, 17, 17],
  D: [30, 17, 17, 17, 30],
  E: [31, 16, 30, 16, 31],
  L: [16, 16, 16, 16, 31],
  M: [17, 27, 21, 17, 17],
  T: [31, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 14],
}
const WORD = 'EMULATED'

/**
 * A grey picture that says EMULATED, so that it is not mistaken for the vendor's. Made without a
 * library, so that the emulator starts fast.
 */
function placeholderPng(width: number, height: number): Buffer {
  const scale = Math.max(1, Math.floor(width / (WORD.length * 6 + 6)))
  const [left, top] = [
    Math.floor((width - WORD.length * 6 * scale) / 2),
    Math.floor(height / 2 - 2.5 * scale),
  ]
  const rows = Buffer.alloc((width + 1) * height, 0xc8)
  for (let y = 0; y < height; y++) {
    rows[y * (width + 1)] = 0
    for (let x = 0; x < width; x++) {
      if (isInk(Math.floor((x - left) / scale), Math.floor((y - top) / scale)))
        rows[y * (width + 1) + 1 + x] = 0x30
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const comment = Buffer.from('Comment\0Made by an emulator, not by a model.', 'latin1')
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('tEXt', comment),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function isInk(column: number, row: number): boolean {
  const letter = LETTERS[WORD[Math.floor(column / 6)] ?? '']
  return row >= 0 && row < 5 && column >= 0 && ((letter?.[row] ?? 0) & (16 >> (column % 6))) !== 0
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  '1:1': [1024, 1024],
  '3:4': [896, 1280],
  '4:3': [1280, 896],
  '9:16': [768, 1408],
  '16:9': [1408, 768],
}
const Body = z.object({
  instances: z.array(z.object({ prompt: z.string().min(1) })).length(1),
  parameters: z.object({
    sampleCount: z.int().min(1).max(4).default(4),
    aspectRatio: z.enum(Object.keys(SIZES)).default('1:1'),
  }),
})

/**
 * The models that make pictures, by both of Google's methods: every picture is charged, and each is a placeholder that says EMULATED. "FORBIDDEN" in a
 * prompt is filtered.
 */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/v1beta/models/:call', handle: predict },
]

function predict(request: EmulatorRequest): EmulatorReply {
  const refused = withoutKey(request)
  if (refused !== undefined) return refused
  if (request.params.call?.endsWith(':generateContent')) return generate(request)
  if (!request.params.call?.endsWith(':predict'))
    return googleFailure(404, 'NOT_FOUND', 'No such method.')
  const body = Body.safeParse(request.json())
  if (!body.success)
    return googleFailure(
      400,
      'INVALID_ARGUMENT',
      body.error.issues[0]?.message ?? 'Invalid request.',
    )
  const { instances, parameters } = body.data
  const prompt = instances[0]?.prompt ?? ''
  if (prompt.includes('FORBIDDEN')) return { body: {} }
  const [width, height] = SIZES[parameters.aspectRatio] ?? [1024, 1024]
  const bytesBase64Encoded = placeholderPng(width, height).toString('base64')
  const predictions = Array.from({ length: parameters.sampleCount }, () => ({
    mimeType: 'image/png',
    bytesBase64Encoded,
  }))
  return {
    effect: { charged: parameters.sampleCount, prompt },
    body: { predictions, modelDisplayName: 'emulator' },
  }
}

const GenerateBody = z.object({
  contents: z.array(z.object({ parts: z.array(z.object({ text: z.string().min(1) })).length(1) })),
  generationConfig: z.object({
    responseModalities: z.array(z.enum(['TEXT', 'IMAGE'])),
    imageConfig: z.object({ aspectRatio: z.enum(Object.keys(SIZES)) }).optional(),
  }),
})

function generate(request: EmulatorRequest): EmulatorReply {
  const body = GenerateBody.safeParse(request.json())
  if (!body.success)
    return googleFailure(
      400,
      'INVALID_ARGUMENT',
      body.error.issues[0]?.message ?? 'Invalid request.',
    )
  const { contents, generationConfig } = body.data
  const prompt = contents[0]?.parts[0]?.text ?? ''
  if (prompt.includes('FORBIDDEN'))
    return { body: { candidates: [{ finishReason: 'IMAGE_SAFETY', index: 0 }] } }
  const [width, height] = SIZES[generationConfig.imageConfig?.aspectRatio ?? '1:1'] ?? [1024, 1024]
  const data = placeholderPng(width, height).toString('base64')
  return {
    effect: { charged: 1, prompt },
    body: {
      candidates: [
        {
          content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data } }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      modelVersion: 'emulator',
    },
  }
}
