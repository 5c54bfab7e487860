import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { ValueStore } from '@surehand/core/ports'
import { decodeImageBytes, openImage } from '@surehand/reading'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { Poster, PosterOrder, PosterStyle, PostersPort } from '../posters-port.ts'

// Instead of a filtered picture there is nothing, or the reason
// (ai.google.dev/gemini-api/docs/imagen).
const Prediction = z.object({
  mimeType: z.string().optional(),
  bytesBase64Encoded: z.base64().optional(),
  raiFilteredReason: z.string().optional(),
})
const Answer = z.object({
  predictions: z.array(Prediction).default([]),
  modelDisplayName: z.string().optional(),
})
// ai.google.dev/api/generate-content: parts are texts or pictures.
const Generated = z.object({
  candidates: z
    .array(
      z.object({
        content: z
          .object({
            parts: z
              .array(z.object({ inlineData: z.object({ data: z.base64() }).optional() }))
              .default([]),
          })
          .optional(),
        finishReason: z.string().optional(),
      }),
    )
    .default([]),
  modelVersion: z.string().optional(),
})
const StoredPoster = z.object({ url: z.string(), mediaType: z.string(), provider: z.string() })

const RATIOS = { '1:1': 1, '3:4': 3 / 4, '4:3': 4 / 3, '9:16': 9 / 16, '16:9': 16 / 9 } as const
const TTL_MS = 31 * 24 * 60 * 60 * 1000
const STYLE_PROMPTS: Readonly<Record<PosterStyle, string>> = {
  modern: 'modern, minimal, bold sans-serif type, deep colours with light effects',
  classic: 'classic, letterpress on paper, ornamental frame, restrained colours',
  vibrant: 'vibrant, saturated colours, playful geometric shapes, very bold type',
}

export type ImagenOptions = VendorAccess &
  Pick<PackGiven, 'keepArtifact'> & {
    readonly values: Pick<ValueStore, 'get' | 'set'>
    readonly model: string
  }

/**
 * Google's models that make pictures: those of Gemini, and Imagen where its name is set. They
 * charge for every picture and accept no idempotency key, so each poster is stored under the key
 * of the call.
 */
export function imagenPosters(options: ImagenOptions): PostersPort {
  const { values } = options
  return {
    async generate(order, signal) {
      const { bytes, model } = await (isImagen(options.model) ? predict : generateContent)(
        options,
        order,
        signal,
      )
      const png = await fitPoster(bytes, order)
      const { url } = await options.keepArtifact({
        tenant: order.tenant,
        bytes: png,
        mediaType: 'image/png',
      })
      const vendor = isImagen(options.model) ? 'imagen' : 'gemini'
      const poster = { url, mediaType: 'image/png', provider: `${vendor} (${model})` }
      await values.set(
        order.tenant,
        storageKey(order.idempotencyKey),
        JSON.stringify(poster),
        TTL_MS,
      )
      return { ...poster, bytes: png }
    },
    async find({ idempotencyKey, args }): Promise<Poster | null> {
      const stored = await values.get(args.tenant, storageKey(idempotencyKey))
      return stored === undefined ? null : StoredPoster.parse(JSON.parse(stored))
    },
  }
}

function storageKey(idempotencyKey: string): string {
  return `media/poster/${idempotencyKey}`
}

// Imagen was switched off at Google's own API in August 2026; other hosts may still have it.
function isImagen(model: string): boolean {
  return model.startsWith('imagen')
}

async function generateContent(
  { baseUrl, key, fetchFor, model }: ImagenOptions,
  order: PosterOrder,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly model: string }> {
  const request = {
    vendor: 'Gemini',
    url: `${baseUrl}/v1beta/models/${model}:generateContent`,
    method: 'POST',
    headers: { 'x-goog-api-key': key },
    body: {
      contents: [{ role: 'user', parts: [{ text: buildPrompt(order) }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        imageConfig: { aspectRatio: nearestRatio(order) },
      },
    },
    signal,
  } as const
  const { candidates, modelVersion = model } = await sendJson(
    fetchFor(order.tenant),
    request,
    Generated,
  )
  const [first] = candidates
  const data = first?.content?.parts.find(({ inlineData }) => inlineData !== undefined)
  if (data?.inlineData === undefined) throw filteredError(first?.finishReason)
  return { bytes: decodeImageBytes(data.inlineData.data), model: modelVersion }
}

async function predict(
  { baseUrl, key, fetchFor, model }: ImagenOptions,
  order: PosterOrder,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly model: string }> {
  const request = {
    vendor: 'Imagen',
    url: `${baseUrl}/v1beta/models/${model}:predict`,
    method: 'POST',
    headers: { 'x-goog-api-key': key },
    body: {
      instances: [{ prompt: buildPrompt(order) }],
      parameters: { sampleCount: 1, aspectRatio: nearestRatio(order) },
    },
    signal,
  } as const
  const { predictions, modelDisplayName = model } = await sendJson(
    fetchFor(order.tenant),
    request,
    Answer,
  )
  const [first] = predictions
  if (first?.bytesBase64Encoded === undefined) throw filteredError(first?.raiFilteredReason)
  return { bytes: decodeImageBytes(first.bytesBase64Encoded), model: modelDisplayName }
}

function buildPrompt({ title, description, style }: PosterOrder): string {
  const below =
    description === undefined
      ? ''
      : ` Below it, smaller, exactly: "${description.replaceAll('\n', ' · ')}".`
  return `A poster for an event. Style: ${STYLE_PROMPTS[style]}. The title, large and exactly: "${title}".${below} No other text.`
}

function nearestRatio({ width, height }: PosterOrder): string {
  const distance = (ratio: number): number => Math.abs(Math.log(width / height / ratio))
  const [nearest] = Object.entries(RATIOS).sort(
    ([, left], [, right]) => distance(left) - distance(right),
  )
  return nearest?.[0] ?? '9:16'
}

async function fitPoster(bytes: Uint8Array, { width, height }: PosterOrder): Promise<Uint8Array> {
  try {
    const { image } = await openImage(bytes)
    return new Uint8Array(await image.resize(width, height, { fit: 'cover' }).png().toBuffer())
  } catch (cause) {
    // It was made and charged: another request would be charged again.
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      'The model returned a picture that cannot be read.',
      { effect: 'refused', cause },
    )
  }
}

function filteredError(reason = 'no reason given'): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `The model refused to make this picture: ${reason}`,
    {
      effect: 'refused',
      details: { source_code: 'RAI_FILTERED' },
      suggestions: ['Use other words in the title and the description.'],
    },
  )
}
