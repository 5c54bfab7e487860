import { matches } from '@surehand/core/host'
import type { FieldMapping } from './documents.ts'
import { mappingsOf, moveStep, pairOf, requireFields } from './field-mapping.ts'
import { type Scheduled, scheduleOf } from './phases.ts'
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
