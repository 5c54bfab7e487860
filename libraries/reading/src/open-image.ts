import { Buffer } from 'node:buffer'
import { ToolError } from '@surehand/core'
import type { Sharp } from 'sharp'

/**
 * A picture with more pixels is refused before it is decoded: a few kilobytes can expand to
 * gigabytes.
 */
export const MAX_PIXELS = 48_000_000

// Checked against the bytes themselves, so that no other format reaches a decoder: an SVG, for
// example, can load files.
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

/** The media type, by the first bytes; refuses formats that are not supported. */
export function detectImageType(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const found = SIGNATURES.find((signature) => head.startsWith(signature.bytes, signature.at))
  if (found === undefined)
    throw unreadableImage('The picture is not a PNG, JPEG, WebP, GIF, TIFF or AVIF file.')
  return found.mediaType
}

/**
 * Opens an untrusted picture, rotated upright by its metadata; the sizes are those of the upright
 * picture.
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

/** The error for a picture that cannot be decoded. */
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
