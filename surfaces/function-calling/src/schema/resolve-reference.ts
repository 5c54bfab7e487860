import { isRecord, type JsonSchema } from '@surehand/core/internal'

/** The target of a local reference; undefined if it does not exist or is in another document. */
export function resolveReference(root: JsonSchema, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(name)]
    else if (isRecord(at) && Object.hasOwn(at, name)) at = at[name]
    else return undefined
  }
  return at
}
