import { definePort, defineTool, IdempotencyKey, sameKey } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { decodeImageBytes, ImageBytes, MAX_IMAGE_INPUT_BYTES } from '@surehand/reading'
import { z } from 'zod'
import { shrinkPicture } from '../media/shrink-picture.ts'

type NewPicture = {
  readonly tenant: string
  readonly idempotencyKey: string
  /** In base64: what is recorded of an effect is JSON. */
  readonly imageBytes: string
}

/** Stores pictures at addresses that a browser can fetch. */
export type PicturesPort = {
  readonly keep: (
    picture: NewPicture,
    signal: AbortSignal,
  ) => Promise<{ readonly imageUrl: string }>
}

export const picturesPort = definePort<PicturesPort>('pictures', {
  keep: sameKey({ validFor: '30d' }),
})

// A PNG of one pixel.
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWPo6OgAAAM0AZmUse0HAAAAAElFTkSuQmCC'

/** The step of events.capture that puts the picture before the person who reviews the event. */
export const keepPicture = defineTool({
  id: 'events.keepPicture',
  title: 'Store the picture of an event',
  category: 'integration',
  description:
    'Stores a small copy of a picture for thirty days, without the position and other data that a phone adds, so that the person who reviews the event sees it. A step of events.capture.',
  input: z.object({ imageBytes: ImageBytes, idempotencyKey: IdempotencyKey.optional() }),
  output: z.object({ imageUrl: z.string() }),
  contract: {
    audience: 'steps',
    effect: 'writes.artifact',
    reversible: true,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: ['calendar.write'] },
    timeout: '15s',
    maxInputBytes: MAX_IMAGE_INPUT_BYTES,
  },
  ports: { pictures: picturesPort },
  examples: [{ name: 'a grey dot', input: { imageBytes: DOT } }],
  execute: ({ input, ports, caller: { tenant }, idempotencyKey, signal }) =>
    ports.pictures.keep({ tenant, idempotencyKey, imageBytes: input.imageBytes }, signal),
})

const LONGEST_SIDE = 1_200
const KEPT_MS = 30 * 24 * 60 * 60_000

/** Pictures among the artifacts of the server. */
export function artifactPictures({
  values,
  keepArtifact,
}: Pick<PackGiven, 'values' | 'keepArtifact'>): PicturesPort {
  return {
    async keep({ tenant, idempotencyKey, imageBytes }) {
      const key = `event-picture/${idempotencyKey}`
      const known = await values.get(tenant, key)
      if (known !== undefined) return { imageUrl: known }
      const bytes = await shrinkPicture(decodeImageBytes(imageBytes), LONGEST_SIDE)
      const { url } = await keepArtifact({ tenant, bytes, mediaType: 'image/jpeg' })
      await values.set(tenant, key, url, KEPT_MS)
      return { imageUrl: url }
    },
  }
}
