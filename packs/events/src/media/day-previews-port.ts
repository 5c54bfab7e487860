import { definePort, lookUp } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { z } from 'zod'

export const PreviewStyle = z.enum(['cinematic', 'documentary'])
export type PreviewStyle = z.infer<typeof PreviewStyle>

/** What a preview shows of an event. Times are as they stand on a clock at the place. */
export type PreviewEvent = {
  readonly title: string
  readonly time: string
  readonly place?: string
}

export type PreviewOrder = {
  readonly tenant: string
  readonly idempotencyKey: string
  readonly date: string
  readonly events: readonly PreviewEvent[]
  readonly style: PreviewStyle
}

export type DayPreview = {
  readonly url: string
  readonly durationSeconds: number
  readonly provider: string
}

export type ProgressRequest = {
  readonly idempotencyKey: string /** Told already. */
  readonly after: number
}

/** Makes a short film of a day. */
export type DayPreviewsPort = {
  readonly create: (order: PreviewOrder, signal: AbortSignal) => Promise<DayPreview>
  /**
   * The film that was made, or is being made, under a key. A provider that can make the identical
   * one again at no cost may do so.
   */
  readonly find: (
    sought: { readonly idempotencyKey: string; readonly args: PreviewOrder },
    signal: AbortSignal,
  ) => Promise<DayPreview | null>
  /**
   * The next progress of what is made under a key, when there is some; null when it is over, or
   * nobody waits any more.
   */
  readonly progress: (
    request: ProgressRequest,
    signal: AbortSignal,
  ) => Promise<(Progress & { readonly fraction: number }) | null>
}

// a vendor charges for every film: what may be under way is looked up, never sent again blindly
export const dayPreviewsPort = definePort<DayPreviewsPort>('dayPreviews', {
  create: lookUp({ method: 'find' }),
  find: 'read',
  progress: 'read',
})
