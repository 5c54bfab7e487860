import { ToolError } from '@surehand/core'
import { fieldName, type Problem } from '@surehand/core/internal'
import { type Path, parsePath, valuesAt } from './dot-path.ts'
import { ambiguous, type FieldPair, moveStep } from './field-mapping.ts'
import { invalidFields } from './invalid-fields.ts'
import { setField } from './move-fields.ts'
import {
  type Check,
  type FromContext,
  isFromContext,
  type RuleForm,
  type Template,
} from './rule-form.ts'
import type { Fields, MigrationContext, MigrationStep } from './step.ts'

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

type Trouble = Pick<Problem, 'kind' | 'error'>

/** Checks fields, in v2's spelling, and lets them pass unchanged or refuses them all at once. */
function validateStep(checks: Readonly<Record<string, Check>>): MigrationStep {
  const compiled = Object.entries(checks).map(([path, check]) => ({
    path: parsePath(path),
    trouble: compileCheck(check),
  }))
  return {
    forward(fields, context) {
      const problems = compiled.flatMap(({ path, trouble }) =>
        valuesAt(fields, path).flatMap((found) => {
          const problem = trouble(found.value ?? undefined)
          return problem === undefined ? [] : [{ ...problem, field: fieldName(found.path) }]
        }),
      )
      if (problems.length > 0) throw invalidFields(context.tool, problems)
      return fields
    },
    backward: (data) => data,
  }
}

function compileCheck(check: Check): (value: unknown) => Trouble | undefined {
  // the strategy's author wrote it, as a tool's author writes a schema: it is trusted to end
  const pattern = check.pattern === undefined ? undefined : new RegExp(check.pattern, 'u')
  return (value) => {
    if (value === undefined)
      return check.required ? { kind: 'missing', error: 'is required' } : undefined
    if (check.type !== undefined && !isOfType(value, check.type))
      return { kind: 'type', error: `must be of type ${check.type}` }
    const error =
      boundTrouble(value, check) ??
      lengthTrouble(value, check) ??
      wordTrouble(value, check, pattern)
    return error === undefined ? undefined : { kind: 'value', error }
  }
}

function isOfType(value: unknown, type: NonNullable<Check['type']>): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
  }
}

function boundTrouble(value: unknown, { min, max }: Check): string | undefined {
  if (min === undefined && max === undefined) return undefined
  if (typeof value !== 'number') return 'must be a number'
  if (min !== undefined && value < min) return `must be at least ${min}`
  return max !== undefined && value > max ? `must be at most ${max}` : undefined
}

function lengthTrouble(value: unknown, { min_length, max_length }: Check): string | undefined {
  if (min_length === undefined && max_length === undefined) return undefined
  if (typeof value !== 'string' && !Array.isArray(value)) return 'must be a text or a list'
  // as JSON Schema counts: an emoji is one character
  const length = typeof value === 'string' ? [...value].length : value.length
  if (min_length !== undefined && length < min_length)
    return `must have at least ${min_length} ${unit(value)}`
  return max_length !== undefined && length > max_length
    ? `must have at most ${max_length} ${unit(value)}`
    : undefined
}

function unit(value: unknown): string {
  return typeof value === 'string' ? 'characters' : 'elements'
}

function wordTrouble(
  value: unknown,
  check: Check,
  pattern: RegExp | undefined,
): string | undefined {
  if (check.enum !== undefined && !check.enum.some((allowed) => allowed === value))
    return `must be one of ${check.enum.join(', ')}`
  return pattern !== undefined && (typeof value !== 'string' || !pattern.test(value))
    ? `must match ${pattern.source}`
    : undefined
}
