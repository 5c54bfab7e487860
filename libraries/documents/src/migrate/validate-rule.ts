import type { Problem } from '@surehand/core/internal'
import { fieldName } from '@surehand/core/internal'
import { parsePath, valuesAt } from './dot-path.ts'
import { invalidFields } from './invalid-fields.ts'
import type { Check } from './rule-form.ts'
import type { MigrationStep } from './step.ts'

type Trouble = Pick<Problem, 'kind' | 'error'>

/** Checks fields, in v2's spelling, and lets them pass unchanged or refuses them all at once. */
export function validateStep(checks: Readonly<Record<string, Check>>): MigrationStep {
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
