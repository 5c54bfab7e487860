import type { JsonSchema } from '@surehand/core/internal'
import { coinduction } from './schema-coinduction.ts'
import type { Comparison, Inquiry } from './schema-comparison.ts'
import { areDisjoint } from './schema-disjoint.ts'
import type { SchemaDocument } from './schema-document.ts'
import { type Atom, listedValues, opaqueKeywords, type Source } from './schema-keywords.ts'
import { kindReasons } from './schema-kind-inclusion.ts'
import { formatValue, holds, type Reason, reason } from './schema-reason.ts'
import { type Sameness, sameness } from './schema-same.ts'
import { kinds, lists, refuses, values } from './schema-sentences.ts'
import { candidatesOf, verdictOf } from './schema-verdict.ts'
import {
  atomsOf,
  both,
  fieldAt,
  leavingOut,
  nameOf,
  requiredOf,
  type Union,
  unionsOf,
  type View,
  viewOf,
} from './schema-view.ts'

// one place that changed can be reached in very many ways
const MOST_REASONS = 100

const CIRCULAR = [reason(({ subject }) => `${subject} refers to itself without end`)]
const UNREADABLE = [
  reason(
    ({ subject }) =>
      `${subject} holds a schema that can't be read, or a reference that can't be followed`,
  ),
]

/**
 * Why not every value that is valid in the narrow document is valid in the wide one; nothing but
 * tolerated reasons is a proof.
 */
export function inclusion(
  narrow: SchemaDocument,
  wide: SchemaDocument,
  choices: Omit<Inquiry, 'reasons'>,
): readonly Reason[] {
  const same = sameness(narrow, wide)
  const { prove } = coinduction<readonly Reason[]>({ assumed: [], circular: CIRCULAR, holds })
  const inquiry: Inquiry = {
    ...choices,
    reasons(asked) {
      narrow.budget.spend()
      if (asked.narrow.isNever) return []
      if (asked.wide.isNever) return [reason(refuses(choices.sides, 'anything'))]
      const comparison = { ...asked, wide: unproven(asked, same) }
      if (comparison.wide.unreadable.length > 0) return UNREADABLE
      if (comparison.wide.parts.length === 0) return []
      const claim = `${nameOf(comparison.narrow)}|${nameOf(comparison.wide)}`
      return prove(claim, comparison.level, () =>
        narrow.budget.nested(() => honest(splitReasons(comparison, inquiry), comparison)),
      )
    },
  }
  return inquiry.reasons({
    narrow: viewOf(narrow, [narrow.root]),
    wide: viewOf(wide, [wide.root]),
    level: 0,
  })
}

// what both sides say in the same words needs no reasoning, and what can't be reasoned about holds
// in no other way
function unproven({ narrow, wide }: Comparison, same: Sameness): View {
  const given = [...narrow.parts, ...narrow.unreadable]
  const isOpen = (part: JsonSchema) => !given.some((one) => same.schemas(one, part))
  const open: View = {
    ...wide,
    parts: wide.parts.filter(isOpen),
    unreadable: wide.unreadable.filter(isOpen),
  }
  return open.parts.reduce<View>((view, part) => {
    const groups = groupsOf(part).filter((group) =>
      given.some((one) => same.keywords(one, part, group)),
    )
    return groups.length === 0 ? view : leavingOut(view, part, groups.flat())
  }, open)
}

const TOGETHER = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
]
const ALONE = new Set(['anyOf', 'oneOf', 'not', 'pattern', 'format'])
// what they ask for depends on the keywords beside them
const DEPENDENT = new Set(['unevaluatedItems', 'unevaluatedProperties'])

// keywords that mean the same wherever they stand
function groupsOf(part: JsonSchema): readonly (readonly string[])[] {
  const groups = TOGETHER.filter((group) => group.some((keyword) => Object.hasOwn(part, keyword)))
  const opaque = opaqueKeywords(part).filter(
    (keyword) => !DEPENDENT.has(keyword) && !TOGETHER.flat().includes(keyword),
  )
  return [
    ...groups,
    ...[...opaque, ...Object.keys(part).filter((keyword) => ALONE.has(keyword))].map((keyword) => [
      keyword,
    ]),
  ]
}

// branch by branch of the narrow side, then type by type: the more is known of a value, the easier
// it finds its place on the other side
function splitReasons(comparison: Comparison, inquiry: Inquiry): readonly Reason[] {
  const { narrow, wide } = comparison
  const [union] = unionsOf(narrow)
  if (union !== undefined) {
    // without the branches more is unevaluated, and the rest would be narrower than the whole
    const rest = leavingOut(narrow, union.part, [
      union.keyword,
      'unevaluatedProperties',
      'unevaluatedItems',
    ])
    return union.branches.flatMap((branch) =>
      inquiry.reasons({ ...comparison, narrow: both(rest, branch) }),
    )
  }
  const atoms = atomsOf(narrow)
  const allowed = atomsOf(wide)
  const refused = atoms.difference(allowed)
  const types = typesOf(atoms.intersection(allowed))
  if (refused.size === 0 && types.length === 1)
    return candidateReasons(comparison, inquiry) ?? typedReasons(comparison, inquiry)
  const unkind = refused.size === 0 ? [] : [reason(refuses(inquiry.sides, kinds(refused)))]
  return [
    ...unkind,
    ...types.flatMap((type) => inquiry.reasons({ ...comparison, narrow: both(narrow, type) })),
  ]
}

const TYPES: Readonly<Record<Exclude<Atom, 'fraction'> | 'number', Source>> = {
  null: { type: 'null' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  array: { type: 'array' },
  object: { type: 'object' },
}

function typesOf(atoms: ReadonlySet<Atom>): readonly Source[] {
  return [...atoms].flatMap((atom) => {
    if (atom === 'fraction') return [TYPES.number]
    return atom === 'integer' && atoms.has('fraction') ? [] : [TYPES[atom]]
  })
}

// value by value where they are few; what can't be judged that way is left to the rules
function candidateReasons(comparison: Comparison, inquiry: Inquiry): readonly Reason[] | undefined {
  const judged = candidatesOf(comparison.narrow)?.map((value) => ({
    value,
    verdict: verdictOf(comparison.wide, value),
  }))
  const refused = judged?.filter(({ verdict }) => verdict === 'no').map(({ value }) => value) ?? []
  if (
    judged === undefined ||
    (refused.length === 0 && judged.some(({ verdict }) => verdict === 'unknown'))
  )
    return undefined
  return refused.length === 0 ? [] : [reason(refuses(inquiry.sides, values(refused)))]
}

function typedReasons(comparison: Comparison, inquiry: Inquiry): readonly Reason[] {
  const listing = comparison.wide.parts.map(listedValues).find((list) => list !== undefined)
  if (listing !== undefined) return [reason(lists(inquiry.sides, listing))]
  return [
    ...unionsOf(comparison.wide).flatMap((union) => unionReasons(union, comparison, inquiry)),
    ...kindReasons(comparison, inquiry),
  ]
}

function honest(reasons: readonly Reason[], { narrow }: Comparison): readonly Reason[] {
  // a side that can't be read was taken for wider than it may be, so what is said of it may be
  // wrong
  if (narrow.unreadable.length > 0 && !holds(reasons)) return UNREADABLE
  // those that break something first: none of them may be lost without another
  return reasons
    .toSorted((left, right) => Number(left.isTolerated) - Number(right.isTolerated))
    .slice(0, MOST_REASONS)
}

/**
 * Why no branch of a union on the wide side takes every value; of `oneOf`, no other branch may take
 * any of them.
 */
function unionReasons(
  { keyword, branches }: Union,
  comparison: Comparison,
  inquiry: Inquiry,
): readonly Reason[] {
  const { narrow, wide } = comparison
  const possible = branches
    .map((branch) => viewOf(wide.document, [branch]))
    .filter((view) => !areDisjoint(narrow, view, inquiry.closed))
  const tries = possible
    .map((view) => inquiry.reasons({ ...comparison, wide: view }))
    .sort(byLength)
  const fitting = tries.find(holds)
  if (fitting !== undefined && (keyword === 'anyOf' || tries.length === 1)) return fitting
  if (fitting !== undefined)
    return [reason(({ of }) => `the variants${of} may overlap, and no more than one may fit`)]
  return tries[0] ?? [reason(refuses(inquiry.sides, variant(narrow)))]
}

function byLength(left: readonly Reason[], right: readonly Reason[]): number {
  return left.length - right.length
}

// a variant is known by the field that has one value in it
function variant(view: View): string {
  for (const name of requiredOf(view)) {
    const values = candidatesOf(
      viewOf(view.document, fieldAt(view, { name, matched: new Set() }, 'refuses') ?? []),
    )
    if (values?.length === 1)
      return `the variant with ${formatValue(name)} = ${formatValue(values[0])}`
  }
  return 'one of its variants'
}
