import { isRecord, type JsonSchema } from '@surehand/core/internal'
import type { SchemaDocument } from './schema-document.ts'
import {
  atomOf,
  jsonText,
  listedValues,
  mapOf,
  member,
  namesOf,
  numberOf,
  opaqueKeywords,
  type Source,
  sourceOf,
  sourcesOf,
  typedAtoms,
} from './schema-keywords.ts'
import { atomsOf, type View, viewOf } from './schema-view.ts'

/**
 * Whether a value is valid, as far as that can be decided without running patterns of imported
 * schemas.
 */
export type Verdict = 'yes' | 'no' | 'unknown'

const NESTING = 64
const UNTYPED: readonly unknown[] = [null, true, false]

/** The only values that may be valid, where there is such a list. */
export function candidatesOf(view: View): readonly unknown[] | undefined {
  const lists = view.parts.flatMap((part) => {
    const values = listedValues(part)
    return values === undefined ? [] : [values]
  })
  const [shortest] = lists.sort((left, right) => left.length - right.length)
  const values =
    shortest ??
    ([...atomsOf(view)].every((atom) => atom === 'null' || atom === 'boolean')
      ? UNTYPED
      : undefined)
  return values?.filter((value) => verdictOf(view, value) !== 'no')
}

/** Whether a value is valid in a view. */
export function verdictOf(view: View, value: unknown, nesting = 0): Verdict {
  view.document.budget.spend()
  if (view.isNever) return 'no'
  if (nesting > NESTING) return 'unknown'
  const judge = judgeOf(view.document, nesting + 1)
  return all([
    ...(view.unreadable.length > 0 ? ['unknown' as const] : []),
    ...lazily(view.parts, (part) => partVerdict(part, value, judge)),
  ])
}

type Judge = {
  readonly document: SchemaDocument
  readonly of: (source: Source, value: unknown) => Verdict
}

function judgeOf(document: SchemaDocument, nesting: number): Judge {
  return { document, of: (source, value) => verdictOf(viewOf(document, [source]), value, nesting) }
}

function partVerdict(part: JsonSchema, value: unknown, judge: Judge): Verdict {
  if (typedAtoms(part)?.has(atomOf(value)) === false) return 'no'
  if (Object.hasOwn(part, 'const') && jsonText(part.const) !== jsonText(value)) return 'no'
  const values = member(part, 'enum') as readonly unknown[] | undefined
  if (values !== undefined && !judge.document.lists(values, value)) return 'no'
  return all([
    ...unionVerdicts(part, value, judge),
    ...kindVerdicts(part, value, judge),
    ...opaqueKeywords(part).map(() => 'unknown' as const),
  ])
}

function unionVerdicts(part: JsonSchema, value: unknown, judge: Judge): readonly Verdict[] {
  const anyOf = sourcesOf(part, 'anyOf').map((branch) => judge.of(branch, value))
  const oneOf = sourcesOf(part, 'oneOf').map((branch) => judge.of(branch, value))
  const inverse = sourceOf(part, 'not')
  return [
    ...(anyOf.length === 0 ? [] : [opposite(all(anyOf.map(opposite)))]),
    ...(oneOf.length === 0 ? [] : [exactlyOne(oneOf)]),
    ...(inverse === undefined ? [] : [opposite(judge.of(inverse, value))]),
  ]
}

function kindVerdicts(part: JsonSchema, value: unknown, judge: Judge): readonly Verdict[] {
  if (typeof value === 'number') return numberVerdicts(part, value)
  if (typeof value === 'string') return textVerdicts(part, value)
  if (Array.isArray(value)) return listVerdicts(part, value, judge)
  return isRecord(value) ? recordVerdicts(part, value, judge) : []
}

function numberVerdicts(part: JsonSchema, value: number): readonly Verdict[] {
  const above = numberOf(part, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY
  const below = numberOf(part, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY
  return [
    within(part, value, ['minimum', 'maximum']),
    value > above && value < below ? 'yes' : 'no',
    multipleVerdict(part, value),
  ]
}

// by division 0.3 is no multiple of 0.1: only whole numbers are judged
function multipleVerdict(part: JsonSchema, value: number): Verdict {
  const multipleOf = numberOf(part, 'multipleOf')
  if (multipleOf === undefined || value === 0) return 'yes'
  if (!Number.isSafeInteger(multipleOf) || !Number.isSafeInteger(value)) return 'unknown'
  return value % multipleOf === 0 ? 'yes' : 'no'
}

function textVerdicts(part: JsonSchema, value: string): readonly Verdict[] {
  const isOpen = Object.hasOwn(part, 'pattern') || Object.hasOwn(part, 'format')
  return [within(part, [...value].length, ['minLength', 'maxLength']), isOpen ? 'unknown' : 'yes']
}

function listVerdicts(
  part: JsonSchema,
  value: readonly unknown[],
  judge: Judge,
): readonly Verdict[] {
  const prefix = sourcesOf(part, 'prefixItems')
  const repeats =
    member(part, 'uniqueItems') === true && new Set(value.map(jsonText)).size < value.length
  return [
    within(part, value.length, ['minItems', 'maxItems']),
    repeats ? 'no' : 'yes',
    ...value.map((item, index) => judge.of(prefix[index] ?? sourceOf(part, 'items') ?? true, item)),
  ]
}

function recordVerdicts(part: JsonSchema, value: JsonSchema, judge: Judge): readonly Verdict[] {
  const names = Object.keys(value)
  const properties = mapOf(part, 'properties')
  const key = sourceOf(part, 'propertyNames') ?? true
  const hasPatterns = Object.keys(mapOf(part, 'patternProperties')).length > 0
  const other = sourceOf(part, 'additionalProperties') ?? true
  return [
    within(part, names.length, ['minProperties', 'maxProperties']),
    namesOf(part, 'required').every((name) => Object.hasOwn(value, name)) ? 'yes' : 'no',
    hasPatterns && names.length > 0 ? 'unknown' : 'yes',
    ...names.map((name) => judge.of(key, name)),
    ...names.flatMap((name) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
      return declared === undefined && hasPatterns ? [] : [judge.of(declared ?? other, value[name])]
    }),
  ]
}

function within(part: JsonSchema, size: number, [least, most]: readonly [string, string]): Verdict {
  return size >= (numberOf(part, least) ?? size) && size <= (numberOf(part, most) ?? size)
    ? 'yes'
    : 'no'
}

function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('no')) return 'no'
  return verdicts.includes('unknown') ? 'unknown' : 'yes'
}

// stops at the first no: a type that does not fit saves judging the rest
function lazily<T>(items: readonly T[], judged: (item: T) => Verdict): readonly Verdict[] {
  const verdicts: Verdict[] = []
  for (const item of items) {
    const verdict = judged(item)
    verdicts.push(verdict)
    if (verdict === 'no') break
  }
  return verdicts
}

function opposite(verdict: Verdict): Verdict {
  switch (verdict) {
    case 'yes':
      return 'no'
    case 'no':
      return 'yes'
    case 'unknown':
      return 'unknown'
  }
}

function exactlyOne(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('unknown')) return 'unknown'
  return verdicts.filter((verdict) => verdict === 'yes').length === 1 ? 'yes' : 'no'
}
