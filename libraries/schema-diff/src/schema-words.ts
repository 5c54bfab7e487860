import { isRecord, type JsonSchema } from '@surehand/core/internal'
import type { SchemaDocument } from './schema-document.ts'
import { isSource, jsonText, MEANINGS, member, type Source, WORDS } from './schema-keywords.ts'
import { formatValue, type Say, type Step } from './schema-reason.ts'

/** A change of what is said about a value, not of what is valid. */
export type WordChange = {
  readonly steps: readonly Step[]
  readonly say: Say
  readonly kind: 'wording' | 'meaning' | 'lost default'
}

type Pair = {
  readonly before: Source
  readonly after: Source
  readonly steps: readonly Step[]
  /** The field it belongs to must be there. */
  readonly isRequired: boolean
}

/**
 * What changed in titles, descriptions, examples, defaults and the like, wherever both sides speak
 * of the same place.
 */
export function wordChanges(before: SchemaDocument, after: SchemaDocument): readonly WordChange[] {
  const changes: WordChange[] = []
  const open: Pair[] = [{ before: before.root, after: after.root, steps: [], isRequired: false }]
  const seen = new Set<string>()
  for (const pair of open) {
    if (!isRecord(pair.before) || !isRecord(pair.after)) continue
    const name = `${before.id(pair.before)},${after.id(pair.after)}`
    if (seen.has(name)) continue
    seen.add(name)
    before.budget.spend()
    const [one, other] = [readWords(before, pair.before), readWords(after, pair.after)]
    changes.push(...changesAt(one, other, pair))
    open.push(...innerPairs(one, other, pair.steps))
  }
  return changes
}

// a reference and a union with null say what they stand for, but for what they say themselves
function readWords(document: SchemaDocument, part: JsonSchema): JsonSchema {
  const seen = new Set<Source>()
  let whole: JsonSchema = {}
  let next: Source | undefined = part
  while (isRecord(next) && !seen.has(next)) {
    seen.add(next)
    const inner = nullable(next)
    whole = { ...(inner === undefined ? next : document.without(next, ['anyOf'])), ...whole }
    next = typeof next.$ref === 'string' ? document.target(next.$ref) : inner
  }
  return whole
}

function nullable(part: JsonSchema): Source | undefined {
  const branches = list(part.anyOf)
  const [inner, ...others] = branches.filter(
    (branch) => !isRecord(branch) || branch.type !== 'null',
  )
  return branches.length === 2 && others.length === 0 ? inner : undefined
}

function changesAt(
  before: JsonSchema,
  after: JsonSchema,
  { steps, isRequired }: Pair,
): readonly WordChange[] {
  return [...WORDS, ...MEANINGS].flatMap((keyword) => {
    const [one, other] = [member(before, keyword), member(after, keyword)]
    if (jsonText(one) === jsonText(other)) return []
    const isLost = keyword === 'default' && other === undefined && isRequired
    return [
      {
        steps,
        say: sentence(keyword, one, other),
        kind: WORDS.has(keyword) ? 'wording' : isLost ? 'lost default' : 'meaning',
      },
    ]
  })
}

function sentence(keyword: string, before: unknown, after: unknown): Say {
  const name = keyword.replace('$', '')
  if (before === undefined)
    return ({ of }) =>
      WORDS.has(keyword) ? `${name}${of} is new` : `${name}${of} is now ${formatValue(after)}`
  if (after === undefined)
    return ({ of }) =>
      WORDS.has(keyword)
        ? `${name}${of} is gone`
        : `${name}${of} is no longer ${formatValue(before)}`
  return ({ of }) =>
    WORDS.has(keyword)
      ? `${name}${of} changed`
      : `${name}${of} changed from ${formatValue(before)} to ${formatValue(after)}`
}

function innerPairs(
  before: JsonSchema,
  after: JsonSchema,
  steps: readonly Step[],
): readonly Pair[] {
  const pair = (one: unknown, other: unknown, step?: Step): readonly Pair[] => {
    if (!isSource(one) || !isSource(other)) return []
    const isRequired =
      step !== undefined &&
      'field' in step &&
      Array.isArray(after.required) &&
      after.required.includes(step.field)
    return [
      {
        before: one,
        after: other,
        steps: step === undefined ? steps : [...steps, step],
        isRequired,
      },
    ]
  }
  const changesNamed = (keyword: string, step: (field: string) => Step) =>
    Object.entries(record(before[keyword])).flatMap(([name, one]) =>
      pair(one, member(record(after[keyword]), name), step(name)),
    )
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const [left, right] = unlike(list(before[keyword]), list(after[keyword]))
    return left.length === right.length ? left.flatMap((one, index) => pair(one, right[index])) : []
  })
  return [
    ...changesNamed('properties', (field) => ({ field })),
    ...changesNamed('patternProperties', () => ({ field: undefined })),
    ...pair(before.additionalProperties, after.additionalProperties, { field: undefined }),
    ...list(before.prefixItems).flatMap((one, item) =>
      pair(one, list(after.prefixItems)[item], { item }),
    ),
    ...pair(before.items, after.items, { item: 'any' }),
    ...branches,
  ]
}

// branches that did not change find each other in any order; the others are taken in the order they
// stand
function unlike(
  left: readonly Source[],
  right: readonly Source[],
): readonly [readonly Source[], readonly Source[]] {
  const [ones, others] = [new Set(left.map(jsonText)), new Set(right.map(jsonText))]
  return [
    left.filter((one) => !others.has(jsonText(one))),
    right.filter((other) => !ones.has(jsonText(other))),
  ]
}

function record(value: unknown): JsonSchema {
  return isRecord(value) ? value : {}
}

function list(value: unknown): readonly Source[] {
  return Array.isArray(value) ? value.filter(isSource) : []
}
