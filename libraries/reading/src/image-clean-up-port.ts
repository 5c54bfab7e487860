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
  /** 0 to 1: how clearly writing and ground stand apart now. Undefined where nobody measured. */
  readonly confidence?: number
  /** Who did it, for the record. */
  readonly provider: string
}

/** Makes a photographed flyer easier to read. */
export type ImageCleanUpPort = {
  readonly edit: (request: CleanUpRequest, signal: AbortSignal) => Promise<CleanedImage>
}

export const imageCleanUpPort = definePort<ImageCleanUpPort>('imageCleanUp', { edit: 'read' })
