import { definePort, lookUp } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { z } from 'zod'

export const PreviewStyle = z.enum(['cinematic', 'documentary'])
export type PreviewStyle = z.infer<typeof PreviewStyle>

/** An event as a preview shows it, with the local time at its place. */
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
  readonly idempotencyKey: string
  /** The fraction that was reported last. */
  readonly after: number
}

/** Makes a short video of a day. */
export type DayPreviewsPort = {
  readonly create: (order: PreviewOrder, signal: AbortSignal) => Promise<DayPreview>
  /**
   * The video that was made, or is being made, under a key. A provider that can make the identical
   * one again at no cost may do so.
   */
  readonly find: (
    query: { readonly idempotencyKey: string; readonly args: PreviewOrder },
    signal: AbortSignal,
  ) => Promise<DayPreview | null>
  /** Waits for the next progress under a key; null when the work has ended or the wait is aborted. */
  readonly progress: (
    request: ProgressRequest,
    signal: AbortSignal,
  ) => Promise<(Progress & { readonly fraction: number }) | null>
}

// A vendor charges for every video: after an unclear failure it is looked up, never ordered again.
export const dayPreviewsPort = definePort<DayPreviewsPort>('dayPreviews', {
  create: lookUp({ method: 'find' }),
  find: 'read',
  progress: 'read',
})
