import { z } from 'zod'

/**
 * The schema of an idempotency key, for tools that take one as an input field.
 *
 * @example
 * const input = z.object({ order: z.string(), idempotencyKey: IdempotencyKey.optional() })
 */
export const IdempotencyKey = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,253}[!-~])?$/, {
    error: 'Use 1 to 255 printable ASCII characters that neither begin nor end with a blank.',
  })
  .meta({
    title: 'idempotency key',
    description:
      'Names one intended effect: a repeat with the same key answers with the first result and does nothing again. 1 to 255 printable ASCII characters.',
    examples: ['3f1c9a52-7d0b-4f0e-9a34-5a1f0c2f7d11'],
  })
