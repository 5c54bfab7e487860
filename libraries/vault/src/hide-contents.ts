import { inspect } from 'node:util'

/**
 * Makes an object print as the given text in logs, errors and JSON, so that the secrets in it do
 * not leak.
 */
export function hideContents<T extends object>(value: T, shown: string): T {
  const hidden = { value: () => shown, enumerable: false }
  return Object.defineProperties(value, { toJSON: hidden, [inspect.custom]: hidden })
}
