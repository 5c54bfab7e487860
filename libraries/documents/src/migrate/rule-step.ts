import { type Path, parsePath } from './dot-path.ts'
import { enrichStep } from './enrich-rule.ts'
import { type FieldPair, moveStep } from './field-mapping.ts'
import type { RuleForm, Template } from './rule-form.ts'
import type { MigrationStep } from './step.ts'
import { validateStep } from './validate-rule.ts'

/** What one rule does to the fields of a call. */
export function ruleStep(rule: RuleForm): MigrationStep {
  switch (rule.rule_type) {
    case 'rename':
    case 'restructure':
      return moveStep(pairsOf(rule))
    case 'validate':
      return validateStep(rule.rule_definition.fields)
    case 'enrich':
      return enrichStep(rule.rule_definition.fields)
  }
}

/** The fields a rule moves: from where, to where. */
export function pairsOf(rule: RuleForm): readonly FieldPair[] {
  switch (rule.rule_type) {
    case 'rename':
      return Object.entries(rule.rule_definition.fields ?? {}).map(([from, to]) =>
        pair(parsePath(from), parsePath(to)),
      )
    case 'restructure':
      return templatePairs(rule.rule_definition.template as Template, []) // checked by its form
    case 'validate':
    case 'enrich':
      return []
  }
}

function templatePairs(template: Template, place: Path): readonly FieldPair[] {
  if (typeof template === 'string') return [pair(parsePath(template), place)]
  if (Array.isArray(template))
    return template.flatMap((part: Template, index) => templatePairs(part, [...place, index]))
  return Object.entries(template).flatMap(([key, part]) =>
    templatePairs(part, [...place, ...parsePath(key)]),
  )
}

function pair(v1: Path, v2: Path): FieldPair {
  return { v1, v2, transformation: undefined }
}
