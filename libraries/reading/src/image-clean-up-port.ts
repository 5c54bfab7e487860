import { definePort } from '@surehand/core'
import { z } from 'zod'

export const CleanUpOperation = z.enum(['denoise', 'enhance_text', 'remove_background'])
export type CleanUpOperation = z.infer<typeof CleanUpOperation>

export type CleanUpRequest = {
  readonly tenant: string
  readonly image: Uint8Array
  readonly operations: readonly CleanUpOperation[]
}

export type CleanedImage = {
  readonly image: Uint8Array
  readonly mediaType: string
  /** 0 to 1: how well text and background differ. Undefined if it was not measured. */
  readonly confidence?: number
  /** The name of the provider that cleaned it. */
  readonly provider: string
}

/** Makes a photograph of text easier to read. */
export type ImageCleanUpPort = {
  readonly edit: (request: CleanUpRequest, signal: AbortSignal) => Promise<CleanedImage>
}

export const imageCleanUpPort = definePort<ImageCleanUpPort>('imageCleanUp', { edit: 'read' })
