import { inspect } from 'node:util'

export const HIDDEN_SECRET = '[secret]'

/** A secret in memory. Printed, written as JSON or put into a string, it shows only `[secret]`. */
export type Secret = {
  /** The plain text. Call it only where the secret is sent. */
  readonly reveal: () => string
  readonly toString: () => string
  readonly toJSON: () => string
}

export function secret(value: string): Secret {
  const hidden = () => HIDDEN_SECRET
  // In a closure, not in a field: `inspect` cannot reach it with any option.
  return Object.freeze({
    reveal: () => value,
    toString: hidden,
    toJSON: hidden,
    [inspect.custom]: hidden,
  })
}
