import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { Budget, SchemaDocument, TooComplex } from './schema-document.ts'
import { inclusion } from './schema-inclusion.ts'
import { jsonText, member } from './schema-keywords.ts'
import { type Sides, toChange } from './schema-reason.ts'
import { wordChanges } from './schema-words.ts'

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
