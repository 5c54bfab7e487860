import { z } from 'zod'

const secrets = z.registry<{ readonly sensitive: true }>()

/**
 * Marks a field as secret: people see a digest and its last four characters, logs and errors see nothing, stores encrypt it.
 * Bounds go inside, `sensitive(z.string().max(40))`: the wrapper has no `.max` to lose the mark by.
 */
export function sensitive<T extends z.ZodType>(schema: T): z.ZodNonOptional<T> {
  const marked = z.nonoptional(schema)
  secrets.add(marked, { sensitive: true })
  return marked
}

export function isSensitive(schema: z.core.$ZodType): boolean {
  return secrets.get(schema)?.sensitive === true
}
