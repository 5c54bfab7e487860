import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { Budget, SchemaDocument, TooComplex } from './schema-document.ts'
import { inclusion } from './schema-inclusion.ts'
import { isSource, jsonText, MEANINGS, member, type Source, WORDS } from './schema-keywords.ts'
import { formatValue, type Say, type Sides, type Step, toChange } from './schema-reason.ts'

/** One thing that changed between two schemas. */
export type SchemaChange = {
  /** The field, as in `guests[].name`; empty for the whole. */
  readonly path: string
  readonly what: string
  readonly breaking: boolean
  /** Only titles, descriptions or examples: nothing else is accepted, produced or meant. */
  readonly isWording?: true
}

type Given = JsonSchema | boolean | undefined

/**
 * What changed from one JSON Schema to the next; a schema that is missing takes everything.
 *
 * For an input a change breaks where something that was valid may no longer be, for an output where
 * something may come that was not valid. What can't be proven to be harmless is said to break: if
 * nothing breaks, every value that is valid on the one side is valid on the other. With two
 * exceptions, by choice:
 *
 * - An object with `properties` but without `additionalProperties` has no other keys: our tools
 *   strip them. By the letter, a new optional field breaks the inputs that had something else under
 *   its name; here it is only new.
 * - A caller reads past fields of an output that it does not know, also where
 *   `additionalProperties: false` said that there are none (zod's do): a new field of an output is
 *   only new.
 *
 * Every document is read as 2020-12, whatever its `$schema` says: so are the foreign ones when they
 * are compiled.
 */
export function schemaDifference(
  before: Given,
  after: Given,
  direction: Sides['direction'],
): readonly SchemaChange[] {
  try {
    const budget = new Budget()
    const [older, newer] = [
      new SchemaDocument(before ?? true, budget),
      new SchemaDocument(after ?? true, budget),
    ]
    if (jsonText(older.root) === jsonText(newer.root)) return []
    return unique([
      ...validityChanges(older, newer, direction),
      ...dialectChanges(older, newer),
      ...wordingChanges(older, newer, direction),
    ])
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error
    return [{ path: '', what: `the ${direction} is too complex to be compared`, breaking: true }]
  }
}

/** How large a step in the version the changes are. */
export function changeLevel(
  changes: readonly SchemaChange[],
): 'major' | 'minor' | 'patch' | 'none' {
  if (changes.some((change) => change.breaking)) return 'major'
  if (changes.some((change) => change.isWording !== true)) return 'minor'
  return changes.length > 0 ? 'patch' : 'none'
}

// All values of the one side must be valid on the other. Why the reverse does not hold is what
// became wider, or narrower, without harm.
function validityChanges(
  older: SchemaDocument,
  newer: SchemaDocument,
  direction: Sides['direction'],
): readonly SchemaChange[] {
  const onward = inclusion(older, newer, {
    sides: { direction, narrow: 'before' },
    closed: 'refuses',
  })
  const back = inclusion(newer, older, {
    sides: { direction, narrow: 'after' },
    closed: 'tolerates',
  })
  const [harmful, harmless] = direction === 'input' ? [onward, back] : [back, onward]
  return [
    ...harmful.map((one) => ({ ...toChange(one, direction), breaking: !one.isTolerated })),
    ...harmless.map((one) => ({ ...toChange(one, direction), breaking: false })),
  ]
}

function wordingChanges(
  older: SchemaDocument,
  newer: SchemaDocument,
  direction: Sides['direction'],
): readonly SchemaChange[] {
  return wordChanges(older, newer).map((change) => {
    // defaults are filled in before it is asked what is missing
    const breaking = direction === 'input' && change.kind === 'lost default'
    return {
      ...toChange(change, direction),
      breaking,
      ...(change.kind === 'wording' ? { isWording: true as const } : {}),
    }
  })
}

function dialectChanges(older: SchemaDocument, newer: SchemaDocument): readonly SchemaChange[] {
  const [one, other] = [older.root, newer.root].map((root) =>
    isRecord(root) ? member(root, '$schema') : undefined,
  )
  if (one === undefined || other === undefined || one === other) return []
  return [{ path: '', what: '$schema changed', breaking: false }]
}

// the same sentence may be found on both ways; the one that breaks comes first
function unique(changes: readonly SchemaChange[]): readonly SchemaChange[] {
  const first = new Map<string, SchemaChange>()
  for (const change of changes.toSorted(
    (left, right) => Number(right.breaking) - Number(left.breaking),
  )) {
    const name = JSON.stringify([change.path, change.what])
    if (!first.has(name)) first.set(name, change)
  }
  return [...first.values()]
}

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
function wordChanges(before: SchemaDocument, after: SchemaDocument): readonly WordChange[] {
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
