import { isRecord } from '@surehand/core/internal'
import { BOUNDS, refuseSchema } from './bounds.ts'
import {
  hasSubschemas,
  listSubschemas,
  namedSubschemas,
  type Source,
  singleSubschema,
  TYPES,
} from './source.ts'

type Check = (value: unknown) => string | undefined

const number: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number'
const count: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0
    ? undefined
    : 'must be a whole number from 0'
const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text')
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')

const LEAVES: ReadonlyMap<string, Check> = new Map([
  ['$anchor', text],
  ['$dynamicAnchor', text],
  ['$dynamicRef', text],
  ['$ref', text],
  ['dependentRequired', namesByName],
  ['enum', values],
  ['exclusiveMaximum', number],
  ['exclusiveMinimum', number],
  ['format', text],
  ['maxContains', count],
  ['maxItems', count],
  ['maxLength', count],
  ['maxProperties', count],
  ['maximum', number],
  ['minContains', count],
  ['minItems', count],
  ['minLength', count],
  ['minProperties', count],
  ['minimum', number],
  [
    'multipleOf',
    (value) =>
      typeof value === 'number' && value > 0 && Number.isFinite(value)
        ? undefined
        : 'must be a number above 0',
  ],
  ['pattern', text],
  ['required', names],
  ['type', types],
  ['uniqueItems', flag],
])

export function isLeaf(keyword: string): boolean {
  return LEAVES.has(keyword)
}

/** What is wrong with the value of a keyword without subschemas; undefined for unknown keywords. */
export function leafProblem(keyword: string, value: unknown): string | undefined {
  return LEAVES.get(keyword)?.(value)
}

function types(value: unknown): string | undefined {
  const given = Array.isArray(value) ? value : [value]
  return given.length > 0 && given.every((one) => TYPES.has(one))
    ? undefined
    : `must be one or more of ${[...TYPES].join(', ')}`
}

function values(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of values'
  return value.length > BOUNDS.enumValues
    ? `lists more than ${BOUNDS.enumValues} values`
    : undefined
}

function names(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.some((name) => typeof name !== 'string'))
    return 'must be a list of names'
  if (value.length > BOUNDS.enumValues) return `lists more than ${BOUNDS.enumValues} names`
  return value.includes('__proto__') ? 'names a field "__proto__"' : undefined
}

function namesByName(value: unknown): string | undefined {
  if (!isRecord(value)) return 'must be lists of names by name'
  return Object.values(value)
    .map(names)
    .find((problem) => problem !== undefined)
}

type Targets = ReadonlyMap<Source, readonly Source[]>

/** The subschemas that are evaluated against the same value as this one. */
export function inPlaceSubschemas(source: Source, targets: Targets): readonly Source[] {
  const referred = targets.get(source) ?? []
  if (!hasSubschemas(source)) return referred
  const ones = ['not', 'if', 'then', 'else']
    .map((keyword) => singleSubschema(source, keyword))
    .filter((inner) => inner !== undefined)
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listSubschemas(source, keyword))
  const maps = ['dependentSchemas', 'dependencies'].flatMap((keyword) =>
    namedSubschemas(source, keyword).map(([, inner]) => inner),
  )
  return [...referred, ...ones, ...lists, ...maps]
}

/** Refuses a schema that would evaluate one value endlessly or by too many subschemas. */
export function checkBranching(paths: ReadonlyMap<Source, string>, targets: Targets): void {
  const costs = new Map<Source, number>()
  for (const source of paths.keys()) costOf(source)

  function costOf(source: Source): number {
    if (typeof source === 'boolean') return 1
    const known = costs.get(source)
    const path = paths.get(source) ?? '#'
    if (known === Number.POSITIVE_INFINITY)
      throw refuseSchema(path, 'refers to itself without going deeper into the value')
    if (known !== undefined) return known
    costs.set(source, Number.POSITIVE_INFINITY)
    const cost = inPlaceSubschemas(source, targets).reduce((sum, inner) => sum + costOf(inner), 1)
    if (cost > BOUNDS.branching)
      throw refuseSchema(
        path,
        `branches too much: more than ${BOUNDS.branching} ways to look at one value`,
      )
    costs.set(source, cost)
    return cost
  }
}
