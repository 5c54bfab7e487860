import { inspect } from 'node:util'

export const HIDDEN_SECRET = '[secret]'

/** A secret on its way: whoever prints it, writes it as JSON or puts it into a sentence, prints that there is one. */
export type Secret = {
  /** The plain text, for the one line that sends it. */
  readonly reveal: () => string
  readonly toString: () => string
  readonly toJSON: () => string
}

export function secret(value: string): Secret {
  const hidden = () => HIDDEN_SECRET
  // in a closure, not in a field: no printer of objects reaches it, whatever its options
  return Object.freeze({
    reveal: () => value,
    toString: hidden,
    toJSON: hidden,
    [inspect.custom]: hidden,
  })
}
