import { Buffer } from 'node:buffer'
import { ToolError } from '@surehand/core'
import type { Sharp } from 'sharp'

/**
 * A picture of more is refused before it is unpacked: a few kilobytes can hold gigabytes of one
 * colour.
 */
export const MAX_PIXELS = 48_000_000

// by the bytes, not by a library's guess: what is not one of these never reaches a decoder (an SVG
// is a program)
const SIGNATURES: readonly {
  readonly mediaType: string
  readonly at: number
  readonly bytes: string
}[] = [
  { mediaType: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { mediaType: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { mediaType: 'image/gif', at: 0, bytes: 'GIF8' },
  { mediaType: 'image/webp', at: 8, bytes: 'WEBP' },
  { mediaType: 'image/tiff', at: 0, bytes: 'II*\0' },
  { mediaType: 'image/tiff', at: 0, bytes: 'MM\0*' },
  { mediaType: 'image/avif', at: 4, bytes: 'ftypavif' },
]

export type OpenedImage = { readonly image: Sharp; readonly width: number; readonly height: number }

/** What a picture's bytes say it is; refuses what is none of the kinds we read. */
export function detectImageType(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const found = SIGNATURES.find((signature) => head.startsWith(signature.bytes, signature.at))
  if (found === undefined)
    throw unreadableImage('It is no PNG, JPEG, WebP, GIF, TIFF or AVIF picture.')
  return found.mediaType
}

/**
 * Opens a picture that somebody sent, upright as its camera was held; sizes are those of the
 * upright picture.
 */
export async function openImage(bytes: Uint8Array): Promise<OpenedImage> {
  detectImageType(bytes)
  const { default: sharp } = await import('sharp')
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
  const { autoOrient } = await image.metadata().catch((cause: unknown) => {
    throw isTooLarge(cause)
      ? tooManyPixels()
      : unreadableImage('The picture cannot be read.', cause)
  })
  if (autoOrient.width * autoOrient.height > MAX_PIXELS) throw tooManyPixels()
  return { image: image.autoOrient(), ...autoOrient }
}

/** What a decoder throws when the pixels themselves turn out broken. */
export function unreadableImage(message: string, cause?: unknown): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', message, {
    details: { field: 'imageBytes' },
    ...(cause === undefined ? {} : { cause }),
  })
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof Error && /pixel limit|exceeds/i.test(cause.message)
}

function tooManyPixels(): ToolError {
  return new ToolError('TOOL_INPUT_TOO_LARGE', `The picture has more than ${MAX_PIXELS} pixels.`, {
    details: { max_pixels: MAX_PIXELS },
  })
}
