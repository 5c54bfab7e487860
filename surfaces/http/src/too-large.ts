import type { ToolError } from '@surehand/core'
import { edgeError } from './edge-error.ts'

/** A body that is larger than what is taken. */
export function tooLarge(maxBytes: number): ToolError {
  return edgeError(
    'body_too_large',
    `The body is larger than the ${maxBytes} bytes that are taken here.`,
    { max_bytes: maxBytes },
  )
}
