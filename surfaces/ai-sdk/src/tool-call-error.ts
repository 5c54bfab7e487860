import { type Envelope, isToolError } from '@surehand/core'
import { modelText } from '@surehand/core/host'

const brand = Symbol.for('surehand.ai-sdk.ToolCallError')

/**
 * A call that was refused or failed. Its message is what the model reads.
 */
export class ToolCallError extends Error {
  readonly envelope: Envelope
  readonly [brand] = true

  constructor(envelope: Envelope) {
    super(modelText(envelope))
    this.name = 'ToolCallError'
    this.envelope = envelope
  }

  // The SDK sends this text to models, which do not need the name of the class.
  override toString(): string {
    return this.message
  }
}

// Checked by brand, not by class: two copies of this package in one process must recognize each
// other's errors.
export function isToolCallError(value: unknown): value is ToolCallError {
  return typeof value === 'object' && value !== null && brand in value
}

/**
 * For `toUIMessageStream({ onError })`: the full message of a tool's error, and no details of any
 * other error. Without it the SDK masks all errors, and the model reads the masked text on the next
 * request.
 */
export function errorText(error: unknown): string {
  if (isToolCallError(error)) return error.message
  return isToolError(error) ? `${error.code}: ${error.message}` : 'An error occurred.'
}
