import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { ValueStore } from '@surehand/core/ports'
import { decodeImageBytes, openImage } from '@surehand/reading'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { Poster, PosterOrder, PosterStyle, PostersPort } from '../posters-port.ts'

// a picture that was filtered is missing, or has its reason in its place
// (ai.google.dev/gemini-api/docs/imagen)
const Prediction = z.object({
  mimeType: z.string().optional(),
  bytesBase64Encoded: z.base64().optional(),
  raiFilteredReason: z.string().optional(),
})
const Answer = z.object({
  predictions: z.array(Prediction).default([]),
  modelDisplayName: z.string().optional(),
})
const Kept = z.object({ url: z.string(), mediaType: z.string(), provider: z.string() })

const RATIOS = { '1:1': 1, '3:4': 3 / 4, '4:3': 4 / 3, '9:16': 9 / 16, '16:9': 16 / 9 } as const
const KEPT_MS = 31 * 24 * 60 * 60 * 1000
const SAID: Readonly<Record<PosterStyle, string>> = {
  modern: 'modern, minimal, bold sans-serif type, deep colours with light effects',
  classic: 'classic, letterpress on paper, ornamental frame, restrained colours',
  vibrant: 'vibrant, saturated colours, playful geometric shapes, very bold type',
}

export type ImagenOptions = VendorAccess &
  Pick<PackGiven, 'keepArtifact'> & {
    readonly values: Pick<ValueStore, 'get' | 'set'>
    readonly model?: string
  }

/**
 * Imagen: it charges for every picture and knows no key, so that what was made is written down
 * under ours.
 */
export function imagenPosters(options: ImagenOptions): PostersPort {
  const { values } = options
  return {
    async generate(order, signal) {
      const { bytes, model } = await predict(options, order, signal)
      const png = await fitPoster(bytes, order)
      const { url } = await options.keepArtifact({
        tenant: order.tenant,
        bytes: png,
        mediaType: 'image/png',
      })
      const poster = { url, mediaType: 'image/png', provider: `imagen (${model})` }
      await values.set(order.tenant, keyOf(order.idempotencyKey), JSON.stringify(poster), KEPT_MS)
      return { ...poster, bytes: png }
    },
    async find({ idempotencyKey, args }): Promise<Poster | null> {
      const kept = await values.get(args.tenant, keyOf(idempotencyKey))
      return kept === undefined ? null : Kept.parse(JSON.parse(kept))
    },
  }
}

function keyOf(idempotencyKey: string): string {
  return `media/poster/${idempotencyKey}`
}

async function predict(
  { baseUrl, key, fetchFor, model = 'imagen-4.0-generate-001' }: ImagenOptions,
  order: PosterOrder,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly model: string }> {
  const request = {
    vendor: 'Imagen',
    url: `${baseUrl}/v1beta/models/${model}:predict`,
    method: 'POST',
    headers: { 'x-goog-api-key': key },
    body: {
      instances: [{ prompt: promptOf(order) }],
      parameters: { sampleCount: 1, aspectRatio: ratioOf(order) },
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

function promptOf({ title, description, style }: PosterOrder): string {
  const below =
    description === undefined
      ? ''
      : ` Below it, smaller, exactly: "${description.replaceAll('\n', ' · ')}".`
  return `A poster for an event. Style: ${SAID[style]}. The title, large and exactly: "${title}".${below} No other text.`
}

function ratioOf({ width, height }: PosterOrder): string {
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
    // it was made and charged; sending the order again would charge again
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      'Imagen answered with a picture that cannot be read.',
      { effect: 'refused', cause },
    )
  }
}

function filteredError(reason = 'no reason given'): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `Imagen made no picture of this: ${reason}`, {
    effect: 'refused',
    details: { source_code: 'RAI_FILTERED' },
    suggestions: ['Put the title and the description in other words.'],
  })
}
