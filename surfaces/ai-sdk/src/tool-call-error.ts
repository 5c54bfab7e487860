import { type Envelope, isToolError } from '@surehand/core'
import { modelText } from '@surehand/core/host'

const brand = Symbol.for('surehand.ai-sdk.ToolCallError')

/** A call that was not done: refused, failed, or waiting for somebody. Its message is what the model reads. */
export class ToolCallError extends Error {
  readonly envelope: Envelope
  readonly [brand] = true

  constructor(envelope: Envelope) {
    super(modelText(envelope))
    this.name = 'ToolCallError'
    this.envelope = envelope
  }

  // the SDK tells models an error as this text, and a class's name means nothing to them
  override toString(): string {
    return this.message
  }
}

// by brand: two copies of this package in one process must still know each other's errors
export function isToolCallError(value: unknown): value is ToolCallError {
  return typeof value === 'object' && value !== null && brand in value
}

/**
 * For `toUIMessageStream({ onError })`: what went wrong with a tool, in full, and nothing of any other error.
 * The SDK masks all of them otherwise, and on the next request the model reads the mask.
 */
export function errorText(error: unknown): string {
  if (isToolCallError(error)) return error.message
  return isToolError(error) ? `${error.code}: ${error.message}` : 'An error occurred.'
}
