import { inspect } from 'node:util'

/** The same object; whoever prints it or writes it as JSON whole, in a log or an error, prints only what is shown. */
export function concealed<T extends object>(value: T, shown: string): T {
  const hidden = { value: () => shown, enumerable: false }
  return Object.defineProperties(value, { toJSON: hidden, [inspect.custom]: hidden })
}
