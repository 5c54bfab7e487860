import type { Duration } from '@surehand/core'
import type { AnsweredBy } from '@surehand/core/internal'
import { type JsonSchema, toJsonSchema, toMs } from '@surehand/core/internal'
import { z } from 'zod'

/** Any JSON, in which `{ "$ref": … }` and `{ "$text": … }` stand for what they refer to. */
export type Template = unknown

/** What has to hold for a step to be done. */
export type Condition =
  | ({ readonly $ref: string } & Comparison)
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }

export type Comparison =
  | { readonly equals: Template }
  | { readonly not: Template }
  | { readonly in: Template }
  | { readonly lessThan: Template }
  | { readonly moreThan: Template }
  | { readonly exists: boolean }

type Place = { readonly id: string; readonly if?: Condition | undefined }

export type ToolStep = Place & {
  readonly tool: string
  readonly input: Template
  readonly undo?: UndoForm | undefined
}
export type UndoForm = { readonly tool: string; readonly input: Template }
export type AskStep = Place & { readonly ask: AskForm }
export type AskForm = {
  readonly question: Template
  readonly schema: JsonSchema
  readonly from?: AnsweredBy | undefined
  readonly timeout?: Duration | undefined
  readonly shows?: Template
  readonly otherwise?: Template
}
export type ParallelStep = Place & {
  readonly parallel: Readonly<Record<string, readonly ProgramStep[]>>
  readonly atMost?: number | undefined
}
export type EachStep = Place & {
  readonly each: Template
  readonly as: string
  readonly itemId?: string | undefined
  readonly steps: readonly ProgramStep[]
  readonly atMost?: number | undefined
}
export type ChooseStep = Place & { readonly choose: readonly Choice[] }
export type Choice = { readonly if?: Condition | undefined; readonly steps: readonly ProgramStep[] }

export type ProgramStep = ToolStep | AskStep | ParallelStep | EachStep | ChooseStep

/** A composite as data. */
export type Program = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly version: string
  readonly category: (typeof CATEGORIES)[number]
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly contract: ProgramContract
  readonly steps: readonly ProgramStep[]
  readonly answer: Template
}

export type ProgramContract = {
  readonly effect: string
  readonly reversible?: boolean | undefined
  readonly timeout?: Duration | undefined
  readonly permissions?:
    | {
        readonly roles?: readonly string[] | undefined
        readonly capabilities?:
          | readonly (string | { readonly name: string; readonly scope?: string | undefined })[]
          | undefined
      }
    | undefined
  readonly approval?: string | undefined
}

// a dot would end a name within a reference; what a journal writes beside steps has a space in it
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const Name = z
  .string()
  .regex(NAME, 'is no name: write letters, digits, "_" and "-", at most 64, the first no digit')
const LENGTH_WORDS = 'is no length of time: write 250ms, 1.5s, 15m or 2d'
// erased: what `toMs` reads is the type
const Length = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h|d)$/, LENGTH_WORDS)
  .refine(isSomeTime, LENGTH_WORDS) as unknown as z.ZodType<Duration>
const SchemaForm = z.record(z.string(), z.unknown()).describe('JSON Schema 2020-12.')
const Templated = z
  .unknown()
  .describe(
    'Any JSON; { "$ref": "steps.find.price" } and { "$text": "For {input.name}" } are filled in.',
  )
const Reference = z
  .string()
  .min(1)
  .max(1_000)
  .describe(
    'input.x, steps.ID.x, NAME.x of a loop, answer.x in an undo; an item by number: steps.find.items.0',
  )
const AtMost = z.number().int().min(1).max(1_000).describe('How many at once.')

const compares = {
  equals: z.strictObject({ $ref: Reference, equals: Templated }),
  not: z.strictObject({ $ref: Reference, not: Templated }),
  in: z.strictObject({ $ref: Reference, in: Templated.describe('A list.') }),
  lessThan: z.strictObject({ $ref: Reference, lessThan: Templated }),
  moreThan: z.strictObject({ $ref: Reference, moreThan: Templated }),
  exists: z.strictObject({ $ref: Reference, exists: z.boolean() }),
}

export const ConditionForm: z.ZodType<Condition> = z
  .lazy(() =>
    z.union([
      ...Object.values(compares),
      z.strictObject({ all: z.array(ConditionForm).min(1).max(100) }),
      z.strictObject({ any: z.array(ConditionForm).min(1).max(100) }),
      z.strictObject({ not: ConditionForm }),
    ]),
  )
  .meta({ id: 'Condition' }) as z.ZodType<Condition>

const Steps: z.ZodType<readonly ProgramStep[]> = z.lazy(() => z.array(StepForm).min(1).max(500))
const place = { id: Name, if: ConditionForm.optional() }

const UndoShape = z.strictObject({
  tool: z.string().min(1).max(100),
  input: Templated.describe('May refer to "answer", what the step answered.'),
})
const AskShape = z.strictObject({
  question: Templated.describe('A text.'),
  schema: SchemaForm,
  from: z.enum(['person', 'model', 'anyone']).optional(),
  timeout: Length.optional(),
  shows: Templated.optional(),
  otherwise: Templated.optional(),
})

/** By the field that distinguishes them. */
export const STEP_KINDS = ['tool', 'ask', 'parallel', 'each', 'choose'] as const

export const StepForm: z.ZodType<ProgramStep> = z
  .lazy(() =>
    z.union([
      z.strictObject({
        ...place,
        tool: z.string().min(1).max(100),
        input: Templated,
        undo: UndoShape.optional(),
      }),
      z.strictObject({ ...place, ask: AskShape }),
      z.strictObject({ ...place, parallel: z.record(Name, Steps), atMost: AtMost.optional() }),
      z.strictObject({
        ...place,
        each: Templated.describe('A list, mostly { "$ref": … }.'),
        as: Name,
        itemId: Reference.describe(
          'A reference inside the item whose value names its place; without it places are numbered.',
        ).optional(),
        steps: Steps,
        atMost: AtMost.optional(),
      }),
      z.strictObject({
        ...place,
        choose: z
          .array(z.strictObject({ if: ConditionForm.optional(), steps: Steps }))
          .min(1)
          .max(100),
      }),
    ]),
  )
  .meta({ id: 'Step' }) as z.ZodType<ProgramStep>

const CATEGORIES = [
  'habit_management',
  'project_management',
  'task_management',
  'time_management',
  'knowledge_management',
  'system_admin',
  'ai_explanation',
  'data_analysis',
  'integration',
  'custom',
] as const

/** The form of a composite that is data: steps, references to earlier answers, conditions. */
export const ProgramForm = z.strictObject({
  id: z
    .string()
    .max(64)
    .regex(/^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$/, 'expected namespace.action'),
  title: z.string().min(1).max(200),
  description: z.string().regex(/\S/, 'is what a model reads: it cannot be empty').max(10_000),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, 'expected major.minor.patch')
    .default('1.0.0'),
  category: z.enum(CATEGORIES).default('custom'),
  input: SchemaForm,
  output: SchemaForm.default({}),
  contract: z.strictObject({
    effect: z.string().regex(/^(?:read|writes\..+)$/, 'expected read, or writes.WHAT'),
    reversible: z.boolean().optional(),
    timeout: Length.optional(),
    permissions: z
      .strictObject({
        roles: z.array(z.string()).optional(),
        capabilities: z
          .array(
            z.union([
              z.string(),
              z.strictObject({ name: z.string(), scope: z.string().min(1).optional() }),
            ]),
          )
          .optional(),
      })
      .optional(),
    approval: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe('The sentence that the approver is shown, as in "Book {input.room}?".'),
  }),
  steps: Steps,
  answer: Templated,
})

function isSomeTime(text: string): boolean {
  try {
    return toMs(text as Duration) > 0
  } catch {
    return false
  }
}

let published: JsonSchema | undefined

/** The form as JSON Schema, for authors of programs. */
export function programSchema(): JsonSchema {
  published ??= toJsonSchema(ProgramForm, { title: 'Program' })
  return published
}
