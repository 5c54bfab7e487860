import { ToolError } from '@surehand/core'
import type { AdminItem } from '@surehand/core/ports'
import { z } from 'zod'

/** The namespace of an import's tools. */
export const ImportName = z
  .string()
  // two of them stand for a dot: "a__b" and "a.b" would be one name on the wire
  .regex(
    /^(?=.{1,24}$)[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
    'is a lower-case letter, then letters, digits and single "_" between them, at most 24',
  )

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** What a tenant has brought: where it came from, and which document it is by now. */
export const ImportRecord = z.strictObject({
  kind: z.string(),
  from: z.json(),
  settings: z.json(),
  document: Sha256,
  importedBy: z.string(),
  /** How often the document is fetched again; 0: only when somebody says so. */
  refreshSeconds: z.int().min(0),
})
export type ImportRecord = z.infer<typeof ImportRecord>

/** What somebody has looked at and accepted. */
export const PinRecord = z.strictObject({
  kind: z.string(),
  /** Everything that this document, these settings and this generator make was accepted. */
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
    `The stored ${item.kind} "${item.id}" can not be read.`,
  )
}
