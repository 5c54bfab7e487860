import { z } from 'zod'
import { beginsWithKey, EACH, parsePath, pathTrouble } from './dot-path.ts'

export const PathText = z.string().superRefine((text, issues) => {
  const trouble = pathTrouble(text)
  if (trouble !== undefined) issues.addIssue(trouble)
})

export const ToolId = z.string().regex(/^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/, {
  error: 'must be the id of a tool, such as habit.create',
})
export const Pattern = z
  .string()
  .regex(/^[\w.*-]+$/, { error: 'must be the name of a tool, perhaps with *' })

/** `{ "old.path": "new.path" }` for fields, another id for the tool. */
const Rename = z
  .strictObject({
    fields: z.record(PathText, PathText).exactOptional(),
    tool: ToolId.exactOptional(),
  })
  .refine((form) => form.fields !== undefined || form.tool !== undefined, {
    error: 'must name fields or a tool',
  })

/**
 * v2's form with, in each place, the path of what comes there: `{ "plan": { "cue": "cue", "days":
 * ["first", "second"] } }`.
 */
export type Template = string | readonly Template[] | { readonly [key: string]: Template }

const Restructure = z.strictObject({
  template: z.record(z.string(), z.json()).superRefine((template, issues) => {
    for (const { path, trouble } of templateTroubles(template, []))
      issues.addIssue({ code: 'custom', path: [...path], message: trouble })
  }),
})

type TemplateTrouble = { readonly path: readonly PropertyKey[]; readonly trouble: string }

function templateTroubles(part: unknown, path: readonly PropertyKey[]): readonly TemplateTrouble[] {
  if (Array.isArray(part))
    return part.flatMap((member, index) => templateTroubles(member, [...path, index]))
  if (typeof part === 'object' && part !== null) {
    return Object.entries(part).flatMap(([key, member]) => [
      ...troubleAt(key, [...path, key]),
      ...templateTroubles(member, [...path, key]),
    ])
  }
  return typeof part === 'string'
    ? troubleAt(part, path)
    : [{ path, trouble: 'must be a dot path, or an object or list of them' }]
}

function troubleAt(text: string, path: readonly PropertyKey[]): readonly TemplateTrouble[] {
  const trouble = pathTrouble(text)
  return trouble === undefined ? [] : [{ path, trouble }]
}

const Check = z.strictObject({
  required: z.boolean().exactOptional(),
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']).exactOptional(),
  min: z.number().exactOptional(),
  max: z.number().exactOptional(),
  min_length: z.int().min(0).exactOptional(),
  max_length: z.int().min(0).exactOptional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .exactOptional(),
  pattern: z.string().refine(isPattern, { error: 'must be a regular expression' }).exactOptional(),
})
export type Check = z.output<typeof Check>

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') !== undefined
  } catch {
    return false // the refusal says it, with the path
  }
}

const Validate = z.strictObject({ fields: z.record(PathText, Check) })

export const FROM_CONTEXT = ['$now', '$principal', '$tenant', '$timeZone'] as const
export type FromContext = (typeof FROM_CONTEXT)[number]

const Value = z
  .json()
  .refine(
    (value) => typeof value !== 'string' || !/^\$[A-Za-z]/.test(value) || isFromContext(value),
    {
      error: `only ${FROM_CONTEXT.join(', ')} are known`,
    },
  )

export function isFromContext(value: unknown): value is FromContext {
  return FROM_CONTEXT.some((name) => name === value)
}

const Enrich = z.strictObject({
  fields: z.record(
    PathText.refine((text) => beginsWithKey(parsePath(text)) && !parsePath(text).includes(EACH), {
      error: 'must name one field',
    }),
    Value,
  ),
})

const appliesTo = z.array(Pattern).min(1)

/** A transformation rule whose definition is the one its type asks for. */
export const RuleForm = z.discriminatedUnion('rule_type', [
  z.strictObject({
    applies_to: appliesTo,
    rule_type: z.literal('rename'),
    rule_definition: Rename,
  }),
  z.strictObject({
    applies_to: appliesTo,
    rule_type: z.literal('restructure'),
    rule_definition: Restructure,
  }),
  z.strictObject({
    applies_to: appliesTo,
    rule_type: z.literal('validate'),
    rule_definition: Validate,
  }),
  z.strictObject({
    applies_to: appliesTo,
    rule_type: z.literal('enrich'),
    rule_definition: Enrich,
  }),
])
export type RuleForm = z.output<typeof RuleForm>
