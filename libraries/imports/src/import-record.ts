import { ToolError } from '@surehand/core'
import type { AdminItem } from '@surehand/core/ports'
import { z } from 'zod'

/** The namespace of an import's tools. */
export const ImportName = z
  .string()
  // No double "_": it stands for a dot on the wire, where "a__b" and "a.b" would be the same name.
  .regex(
    /^(?=.{1,24}$)[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
    'must begin with a lower-case letter and contain only lower-case letters, digits and single "_", at most 24 characters',
  )

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A tenant's import: where it comes from, and the hash of its current document. */
export const ImportRecord = z.strictObject({
  kind: z.string(),
  from: z.json(),
  settings: z.json(),
  document: Sha256,
  importedBy: z.string(),
  /** How often the document is fetched again; 0: only on request. */
  refreshSeconds: z.int().min(0),
})
export type ImportRecord = z.infer<typeof ImportRecord>

/** What an administrator has reviewed and accepted. */
export const PinRecord = z.strictObject({
  kind: z.string(),
  /** Whether every tool of this document, settings and generator was accepted. */
  isWhole: z.boolean(),
  document: Sha256,
  settings: z.json(),
  generator: z.string(),
  /** Definition hashes by tool id. */
  tools: z.record(z.string(), Sha256),
  acceptedBy: z.string(),
})
export type PinRecord = z.infer<typeof PinRecord>

export function readItem<T>(item: AdminItem, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(JSON.parse(item.value))
  if (parsed.success) return parsed.data
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The stored ${item.kind} "${item.id}" cannot be read.`,
  )
}
