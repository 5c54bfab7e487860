/**
 * An object as JSON makes it. A Date, a Map or an instance of a class keeps its data elsewhere, and
 * would be written as {}. Objects of another realm are plain too: their prototype's prototype is
 * null.
 */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    prototype === null ||
    prototype === Object.prototype ||
    Object.getPrototypeOf(prototype) === null
  )
}

/** An object that is neither null nor an array; instances of classes are records too. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
