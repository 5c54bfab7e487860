import { definePort, lookUp } from '@surehand/core'
import { z } from 'zod'

export const PosterStyle = z.enum(['modern', 'classic', 'vibrant'])
export type PosterStyle = z.infer<typeof PosterStyle>

export type PosterOrder = {
  readonly tenant: string
  readonly idempotencyKey: string
  readonly title: string
  readonly description?: string
  readonly style: PosterStyle
  readonly width: number
  readonly height: number
}

/** `bytes` are missing if the poster was found by its key. */
export type Poster = {
  readonly url: string
  readonly bytes?: Uint8Array
  readonly mediaType: string
  readonly provider: string
}

/** Makes posters. */
export type PostersPort = {
  readonly generate: (order: PosterOrder, signal: AbortSignal) => Promise<Poster>
  /**
   * The poster that was made under a key. A provider that can make the identical one again at no
   * cost may do so.
   */
  readonly find: (
    query: { readonly idempotencyKey: string; readonly args: PosterOrder },
    signal: AbortSignal,
  ) => Promise<Poster | null>
}

// A vendor charges for every picture and accepts no key: after an unclear failure it is looked up,
// never ordered again.
export const postersPort = definePort<PostersPort>('posters', {
  generate: lookUp({ method: 'find' }),
  find: 'read',
})
