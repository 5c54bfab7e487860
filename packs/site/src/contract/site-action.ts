import { CssSelector } from '@surehand/documents'
import { z } from 'zod'

const EFFECTS = [
  'none',
  'read-only-nav',
  'writes.cart',
  'writes.order',
  'writes.booking',
  'writes.content',
] as const

/** One action of a site's actions.json; it becomes the tool `site.{id}`. */
export const SiteAction = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)*$/)
    .max(50),
  selector: CssSelector.optional(),
  description: z.string().min(1).max(1_000),
  /** A JSON Schema of an object, or the schemas of its fields by name. */
  params: z.record(z.string(), z.unknown()).default({}),
  sideEffects: z.enum(EFFECTS).default('writes.content'),
  confirmRequired: z.boolean().optional(),
})
export type SiteAction = z.output<typeof SiteAction>

export const ActionsFile = z.object({
  version: z.union([z.string().max(64), z.number()]),
  actions: z.array(SiteAction).max(500),
})
