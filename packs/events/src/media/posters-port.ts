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

/** `bytes` are missing where it was found again by its key alone. */
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
    sought: { readonly idempotencyKey: string; readonly args: PosterOrder },
    signal: AbortSignal,
  ) => Promise<Poster | null>
}

// a vendor charges for every picture and knows no key: what may be under way is looked up, never
// sent again blindly
export const postersPort = definePort<PostersPort>('posters', {
  generate: lookUp({ method: 'find' }),
  find: 'read',
})
