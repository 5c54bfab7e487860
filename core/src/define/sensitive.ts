import { z } from 'zod'

const secrets = z.registry<{ readonly sensitive: true }>()

/**
 * Marks a field as secret: people see a digest and its last four characters, logs and errors see
 * nothing, stores encrypt it. Limits go inside: the wrapper has no `.max`, so that the mark cannot
 * be lost by it.
 *
 * @example
 * const input = z.object({ card: sensitive(z.string().max(40)) })
 */
export function sensitive<T extends z.ZodType>(schema: T): z.ZodNonOptional<T> {
  const marked = z.nonoptional(schema)
  secrets.add(marked, { sensitive: true })
  return marked
}

export function isSensitive(schema: z.core.$ZodType): boolean {
  return secrets.get(schema)?.sensitive === true
}
