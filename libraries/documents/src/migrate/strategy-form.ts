import { z } from 'zod'
import { CALENDAR_DATE, Rfc3339DateTime } from '../shapes/time.ts'
import { pathTrouble } from './dot-path.ts'
import { v1FieldOf } from './field-mapping.ts'
import { startOf } from './phases.ts'
import { PathText, Pattern, RuleForm, ToolId } from './rule-form.ts'
import { TRANSFORMATIONS, transformationOf } from './transformation.ts'

const DateText = z.string().refine((text) => isDate(text) && !Number.isNaN(startOf(text)), {
  error: 'must be a date such as 2026-01-31, or an RFC 3339 date-time',
})

function isDate(text: string): boolean {
  return CALENDAR_DATE.test(text) || Rfc3339DateTime.safeParse(text).success
}

const V1Field = z.string().superRefine((text, issues) => {
  const { of, path } = v1FieldOf({ v1_field: text })
  const trouble = of === '' ? `"${text}" names no function before the colon` : pathTrouble(path)
  if (trouble !== undefined) issues.addIssue(trouble)
})

const Mapping = z.strictObject({
  v1_field: V1Field,
  v2_field: PathText,
  transformation: z
    .string()
    .refine((name) => transformationOf(name) !== undefined, {
      error: `must be one of ${TRANSFORMATIONS.join(', ')}`,
    })
    .exactOptional(),
  required_in_v2: z.boolean(),
})

const Action = z.strictObject({
  action_type: z.enum(['warn', 'redirect', 'disable', 'remove']),
  target: Pattern,
  message: z.string().min(1),
  alternative: z.string().min(1),
})

const Phase = z
  .strictObject({
    phase_name: z.string().min(1),
    start_date: DateText,
    end_date: DateText,
    actions: z.array(Action),
  })
  .refine((phase) => startOf(phase.start_date) <= startOf(phase.end_date), {
    error: 'must not be before start_date',
    path: ['end_date'],
  })

const Timeline = z.array(Phase).superRefine((phases, issues) => {
  for (const [index, phase] of phases.entries()) {
    const earlier = phases[index - 1]
    if (earlier === undefined || startOf(earlier.end_date) <= startOf(phase.start_date)) continue
    const message = `must not be before the end of ${earlier.phase_name}, ${earlier.end_date}`
    issues.addIssue({ code: 'custom', path: [index, 'start_date'], message })
  }
})

/** A migration strategy as data: the document's form, with each rule's definition checked. */
export const StrategyForm = z.strictObject({
  migration_version: z.literal('1.0_to_2.0'),
  field_mappings: z.array(Mapping),
  transformation_rules: z.array(RuleForm),
  deprecation_timeline: Timeline,
  compatibility_mode: z.strictObject({
    enable_v1_mode: z.boolean(),
    v1_warning_level: z.enum(['none', 'log', 'user_facing']),
    v1_redirect_mode: z.enum(['transparent', 'explicit']),
    v1_support_end_date: DateText,
  }),
})
export type StrategyForm = z.output<typeof StrategyForm>

/** v1's function names and the v2 tools that do the same. */
export const ToolsForm = z.record(
  z.string().regex(/^[\w.-]+$/, { error: 'must be the name of a v1 function' }),
  ToolId,
)
