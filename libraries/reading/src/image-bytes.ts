import { Buffer } from 'node:buffer'
import { ToolError } from '@surehand/core'
import { z } from 'zod'

export const MAX_IMAGE_BYTES = 16 * 1024 * 1024
/** The limit for a tool's input: the largest picture in base64, and the other fields. */
export const MAX_IMAGE_INPUT_BYTES = Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 4096

const NOT_BASE64 = /[^A-Za-z0-9+/=]/

/**
 * A picture in a tool's input. In-process callers may pass a Uint8Array, which the runtime encodes
 * as base64.
 */
export const ImageBytes = z.string().min(1).refine(isBase64, 'is not base64').meta({
  contentEncoding: 'base64',
  description: 'The picture, in base64: PNG, JPEG, WebP, GIF, TIFF or AVIF, at most 16 MiB.',
})

// Not one pattern for the whole text: a pattern with groups overflows the stack on a large picture.
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || NOT_BASE64.test(text)) return false
  const padding = text.indexOf('=')
  return padding === -1 || padding >= text.length - (text.endsWith('==') ? 2 : 1)
}

/** Decodes a picture from base64; refuses more than `MAX_IMAGE_BYTES`. */
export function decodeImageBytes(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new ToolError(
      'TOOL_INPUT_TOO_LARGE',
      `The picture has ${bytes.length} bytes. At most ${MAX_IMAGE_BYTES} are accepted.`,
      {
        details: { max_bytes: MAX_IMAGE_BYTES },
      },
    )
  return bytes
}

export function encodeImageBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
