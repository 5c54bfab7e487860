/** The value a JSON Pointer (RFC 6901, as a URI fragment) leads to; only through members of the document itself. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  let current = root
  for (const step of pointer.split('/').slice(1)) {
    const name = decoded(step)
    if (
      name === undefined ||
      typeof current !== 'object' ||
      current === null ||
      !Object.hasOwn(current, name)
    )
      return undefined
    current = (current as Readonly<Record<string, unknown>>)[name]
  }
  return current
}

function decoded(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined // a % that encodes nothing leads nowhere
  }
}
