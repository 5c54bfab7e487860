import type { Comparison, Inquiry } from './schema-comparison.ts'
import { opaqueKeywords, type Source, sourceIn } from './schema-keywords.ts'
import { closedNames } from './schema-limits.ts'
import { inside, type Reason, reason, toleratedReason } from './schema-reason.ts'
import { appears, lacks, refusesKeys, refusesOthers, requires } from './schema-sentences.ts'
import { candidatesOf, verdictOf } from './schema-verdict.ts'
import {
  declaredOf,
  fieldAt,
  type Key,
  patternsOf,
  requiredOf,
  type View,
  viewOf,
} from './schema-view.ts'

const MOST_PATTERNS = 4
const TEXT: Source = { type: 'string' }

/** Why not every object of the narrow view is valid in the wide one. */
export function objectReasons(comparison: Comparison, inquiry: Inquiry): readonly Reason[] {
  const { narrow, wide } = comparison
  const required = requiredOf(wide).difference(requiredOf(narrow))
  return [
    ...[...required].flatMap((field) => inside({ field }, [reason(requires(inquiry.sides))])),
    ...keyReasons(comparison, inquiry),
    ...fieldReasons(comparison, inquiry),
  ]
}

function keyReasons(
  { narrow, wide, level }: Comparison,
  { sides, reasons }: Inquiry,
): readonly Reason[] {
  const asked = viewOf(
    wide.document,
    wide.parts.flatMap((part) => sourceIn(part, 'propertyNames')),
  )
  const given = namesView(narrow)
  if (reasons({ narrow: given, wide: asked, level: level + 1 }).length === 0) return []
  const names = candidatesOf(given) ?? closedNames(narrow)
  const refused = names?.filter((name) => verdictOf(asked, name) !== 'yes')
  return refused?.length === 0 ? [] : [reason(refusesKeys(sides, refused ?? []))]
}

function namesView(view: View): View {
  return viewOf(view.document, [
    TEXT,
    ...view.parts.flatMap((part) => sourceIn(part, 'propertyNames')),
  ])
}

function fieldReasons(comparison: Comparison, inquiry: Inquiry): readonly Reason[] {
  const { narrow, wide } = comparison
  const patterns = [...patternsOf(narrow).union(patternsOf(wide))]
  if (patterns.length > MOST_PATTERNS)
    return [reason(({ subject }) => `${subject} has too many patternProperties to be compared`)]
  const matches = subsets(patterns)
  // where only some names are taken, there are no others
  const only = candidatesOf(namesView(narrow))?.map(String)
  const names = only ?? [...declaredOf(narrow).union(declaredOf(wide))]
  const fields = names.flatMap((name) => {
    const why = matches.flatMap((matched) => fieldReason(comparison, inquiry, { name, matched }))
    return inside({ field: name }, why)
  })
  if (only !== undefined) return fields
  return [
    ...fields,
    ...matches.flatMap((matched) =>
      otherReasons(comparison, inquiry, { name: undefined, matched }),
    ),
  ]
}

// patterns are not run: they are a stranger's, and could take for ever. So a name is tried as if it
// matched each of them, and as if not.
function subsets(patterns: readonly string[]): readonly ReadonlySet<string>[] {
  return patterns.reduce<readonly ReadonlySet<string>[]>(
    (sets, pattern) => sets.flatMap((set) => [set, new Set([...set, pattern])]),
    [new Set()],
  )
}

type NamedKey = Key & { readonly name: string }

function fieldReason(
  { narrow, wide, level }: Comparison,
  { sides, closed, reasons }: Inquiry,
  key: NamedKey,
): readonly Reason[] {
  const given = fieldAt(narrow, key, 'refuses')
  const asked = fieldAt(wide, key, closed)
  if (given === undefined && isUnknown(narrow, key.name))
    return asked === undefined ? [] : [toleratedReason(appears(sides))]
  const one = viewOf(narrow.document, given ?? [])
  if (one.isNever) return []
  const other = viewOf(wide.document, asked ?? [])
  if (other.isNever && !declaredOf(wide).has(key.name)) return [reason(lacks(sides))]
  const isReadPast =
    viewOf(wide.document, fieldAt(wide, key, 'refuses') ?? []).isNever && !other.isNever
  const inner = reasons({ narrow: one, wide: other, level: level + 1 })
  return isReadPast ? [...inner, toleratedReason(lacks(sides))] : inner
}

/**
 * Whether a name is none that the view has anything to do with. Such a key is stripped before a
 * tool sees it, so no value has it: without that, every new optional field would break the inputs
 * that happened to have something else under its name.
 */
function isUnknown(view: View, name: string): boolean {
  const lists = view.parts.some(
    (part) => Object.hasOwn(part, 'properties') || Object.hasOwn(part, 'patternProperties'),
  )
  return (
    lists &&
    !requiredOf(view).has(name) &&
    view.unreadable.length === 0 &&
    !view.parts.some((part) => mayDeclare(part, name))
  )
}

// a keyword that is not understood may have something to do with the name, if it is in it or if it
// may be about any name
function mayDeclare(part: Readonly<Record<string, unknown>>, name: string): boolean {
  return opaqueKeywords(part).some((keyword) => {
    if (keyword === 'unevaluatedProperties' && part[keyword] === false) return false
    const text = JSON.stringify({ [keyword]: part[keyword] })
    return text.includes(JSON.stringify(name)) || /Properties"|"\$\w*[rR]ef"/.test(text)
  })
}

function otherReasons(
  { narrow, wide, level }: Comparison,
  { sides, closed, reasons }: Inquiry,
  key: Key,
): readonly Reason[] {
  const given = viewOf(narrow.document, fieldAt(narrow, key, 'refuses') ?? [])
  if (given.isNever) return []
  const asked = viewOf(wide.document, fieldAt(wide, key, closed) ?? [])
  if (asked.isNever) return [reason(refusesOthers(sides))]
  const isReadPast = viewOf(wide.document, fieldAt(wide, key, 'refuses') ?? []).isNever
  const inner = inside(
    { field: undefined },
    reasons({ narrow: given, wide: asked, level: level + 1 }),
  )
  return isReadPast ? [...inner, toleratedReason(refusesOthers(sides))] : inner
}
