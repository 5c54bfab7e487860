import { ToolError } from '@surehand/core'
import { matches } from '@surehand/core/host'
import type {
  CompatibilitySettings,
  DeprecationAction,
  FieldMapping,
  MigrationWarning,
} from './documents.ts'
import { mappingsOf, moveStep, pairOf, requireFields } from './field-mapping.ts'
import { actionAt, endOf, type PhaseKind, type Scheduled, scheduleOf } from './phases.ts'
import { ruleStep } from './rule-step.ts'
import type { Fields, MigrationContext, MigrationStep } from './step.ts'
import type { StrategyForm } from './strategy-form.ts'

/** One v1 function's whole way to v2 and back, settled when the migration is loaded. */
export type Plan = {
  readonly v1Tool: string
  readonly tool: string
  readonly mappings: readonly FieldMapping[]
  readonly steps: readonly MigrationStep[]
  readonly schedule: readonly Scheduled[]
}

/** Field mappings first, all at once; then the rules that concern the tool, in their order. */
export function planOf(strategy: StrategyForm, v1Tool: string, v2Tool: string): Plan {
  const mappings = mappingsOf(strategy.field_mappings, v1Tool)
  const steps = [moveStep(mappings.map(pairOf))]
  let tool = v2Tool
  for (const rule of strategy.transformation_rules) {
    if (!rule.applies_to.some((pattern) => matches(pattern, tool) || matches(pattern, v1Tool)))
      continue
    steps.push(ruleStep(rule))
    if (rule.rule_type === 'rename') tool = rule.rule_definition.tool ?? tool
  }
  return Object.freeze({
    v1Tool,
    tool,
    mappings,
    steps,
    schedule: scheduleOf(strategy, [v1Tool, v2Tool, tool]),
  })
}

/** A v1 call's arguments as the v2 tool's input. */
export function toV2Input(plan: Plan, args: Fields, context: MigrationContext): Fields {
  const input = plan.steps.reduce((fields, step) => step.forward(fields, context), args)
  requireFields(plan.mappings, { args, input }, plan.v1Tool)
  return input
}

/** A v2 tool's data in v1's form, as far as it has one. */
export function toV1Data(plan: Plan, data: unknown): unknown {
  return plan.steps.reduceRight((answer, step) => step.backward(answer), data)
}

/** Whether a v1 function still answers, and what is to be said about it. */
export type Standing =
  | { readonly kind: 'silent' }
  | { readonly kind: 'warned'; readonly action: DeprecationAction }
  | {
      readonly kind: 'refused'
      readonly phase: PhaseKind
      readonly alternative: string
      readonly message: string
    }

export function standingOf(plan: Plan, settings: CompatibilitySettings, nowMs: number): Standing {
  const alternative = plan.tool
  if (!settings.enable_v1_mode)
    return {
      kind: 'refused',
      phase: 'disable',
      alternative,
      message: `v1 calls are switched off, ${plan.v1Tool} among them.`,
    }
  const action = actionAt(plan.schedule, nowMs)
  const standing: Standing =
    action === undefined ? { kind: 'silent' } : standingUnder(action, settings)
  // A phase that switches off says more than the date alone.
  const isSwitchedOff = standing.kind === 'refused' && standing.phase !== 'remove'
  if (isSwitchedOff || nowMs < endOf(settings.v1_support_end_date)) return standing
  return {
    kind: 'refused',
    phase: 'remove',
    alternative,
    message: `v1 calls ended on ${settings.v1_support_end_date}.`,
  }
}

function standingUnder(action: DeprecationAction, settings: CompatibilitySettings): Standing {
  const refused = {
    kind: 'refused',
    phase: action.action_type,
    alternative: action.alternative,
    message: action.message,
  } as const
  switch (action.action_type) {
    case 'warn':
      return { kind: 'warned', action }
    case 'redirect':
      return settings.v1_redirect_mode === 'transparent' ? { kind: 'warned', action } : refused
    case 'disable':
    case 'remove':
      return refused
  }
}

/** The refusal of a call that is not served any more; it names what to call instead. */
export function deprecationError(standing: Extract<Standing, { kind: 'refused' }>): ToolError {
  const { phase, alternative, message } = standing
  return new ToolError('TOOL_DEPRECATED', withAlternative(message, alternative), {
    details: { phase, alternative, message },
    suggestions: [`Call ${alternative} instead.`],
  })
}

/** What is to be said about a v1 function now, whether or not it is said. */
export function warningOf(
  plan: Plan,
  settings: CompatibilitySettings,
  nowMs: number,
): MigrationWarning {
  const standing = standingOf(plan, settings, nowMs)
  return {
    tool_id: plan.v1Tool,
    level: settings.v1_warning_level,
    support_end_date: settings.v1_support_end_date,
    ...saidOf(standing, plan, settings),
  }
}

function saidOf(
  standing: Standing,
  plan: Plan,
  settings: CompatibilitySettings,
): Pick<MigrationWarning, 'phase' | 'message' | 'alternative'> {
  switch (standing.kind) {
    case 'silent': {
      const message = `${plan.v1Tool} is a v1 call and is served until ${settings.v1_support_end_date}.`
      return { phase: 'none', message: withAlternative(message, plan.tool), alternative: plan.tool }
    }
    case 'warned': {
      const { action_type: phase, message, alternative } = standing.action
      return { phase, message: withAlternative(message, alternative), alternative }
    }
    case 'refused': {
      const { phase, message, alternative } = standing
      return { phase, message: withAlternative(message, alternative), alternative }
    }
  }
}

function withAlternative(message: string, alternative: string): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  return sentence.includes(alternative) ? sentence : `${sentence} Call ${alternative} instead.`
}
