import { z } from 'zod'

// fit for a URL path segment, a log line and a cache key as they are; the first character keeps out
// `.`, `..` and `-flags`
const IDENTIFIER = /^[A-Za-z0-9_][A-Za-z0-9_.:~=-]{0,127}$/

/** An opaque identifier of another system: it is compared, stored and sent back, never parsed. */
export function identifier(meta: { title: string; description: string; examples: string[] }) {
  return z
    .string()
    .regex(IDENTIFIER, {
      error: `Use a ${meta.title} exactly as the site gave it: 1 to 128 letters, digits or _ . : ~ = -, beginning with a letter, digit or _.`,
    })
    .meta(meta)
}
