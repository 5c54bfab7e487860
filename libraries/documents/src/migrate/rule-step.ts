import { ToolError } from '@surehand/core'
import { type Path, parsePath, valuesAt } from './dot-path.ts'
import { ambiguous, type FieldPair, moveStep } from './field-mapping.ts'
import { setField } from './move-fields.ts'
import type { RuleForm, Template } from './rule-form.ts'
import { type FromContext, isFromContext } from './rule-form.ts'
import type { Fields, MigrationContext, MigrationStep } from './step.ts'
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

/**
 * Adds what v1 did not know. A constant, the time and the zone fill a gap; who calls is never taken
 * from the arguments.
 */
function enrichStep(values: Readonly<Record<string, unknown>>): MigrationStep {
  const additions = Object.entries(values).map(([path, value]) => ({
    path: parsePath(path),
    value,
  }))
  return {
    forward: (fields, context) =>
      additions.reduce(
        (enriched, { path, value }) => enrich(enriched, { path, value }, context),
        fields,
      ),
    backward: (data) => data,
  }
}

function enrich(
  fields: Fields,
  { path, value }: { readonly path: Path; readonly value: unknown },
  context: MigrationContext,
): Fields {
  const isIdentity = value === '$principal' || value === '$tenant'
  const isGiven = valuesAt(fields, path).some(
    (found) => found.value !== undefined && found.value !== null,
  )
  if (isGiven && !isIdentity) return fields
  const added = isFromContext(value) ? contextValue(value, context) : structuredClone(value)
  if (added === undefined) return fields
  const enriched = setField(fields, path, added)
  if (!enriched.ok) throw ambiguous(context, enriched.field)
  return enriched.value as Fields // the path begins with a key, so an object stays one
}

function contextValue(
  name: FromContext,
  { caller, nowMs, tool }: MigrationContext,
): string | undefined {
  switch (name) {
    case '$now':
      return new Date(nowMs).toISOString()
    case '$timeZone':
      return caller?.timeZone
    case '$principal':
    case '$tenant':
      if (caller === undefined)
        throw new ToolError(
          'TOOL_CONFIGURATION_ERROR',
          `${tool} needs to know who calls: hand in the caller.`,
        )
      return name === '$principal' ? caller.principal : caller.tenant
  }
}
