import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { googleFailure, withoutKey } from './google-failure.ts'
import { placeholderPng } from './placeholder-png.ts'

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

/** Imagen: every picture is charged, and each is a placeholder that says EMULATED. "FORBIDDEN" in a prompt is filtered. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/v1beta/models/:call', handle: predict },
]

function predict(request: EmulatorRequest): EmulatorReply {
  const refused = withoutKey(request)
  if (refused !== undefined) return refused
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
