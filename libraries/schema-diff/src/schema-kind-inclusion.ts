import type { Comparison, Inquiry } from './schema-comparison.ts'
import { areDisjoint } from './schema-disjoint.ts'
import {
  type Atom,
  assertions,
  member,
  numberOf,
  opaqueKeywords,
  type Source,
  sourceOf,
} from './schema-keywords.ts'
import {
  isAtLeast,
  isAtMost,
  isWhole,
  type Limit,
  leastSize,
  lowerOf,
  mostSize,
  upperOf,
  wholeLower,
  wholeUpper,
} from './schema-limits.ts'
import { objectReasons } from './schema-object-inclusion.ts'
import { formatValue, inside, type Reason, reason, type Say, type Sides } from './schema-reason.ts'
import { cannotCompare, differs, distinct, moves } from './schema-sentences.ts'
import { atomsOf, itemAt, leastOf, mostOf, prefixOf, type View, viewOf } from './schema-view.ts'

/**
 * Why not, for values of one kind, keyword by keyword of the wide side; unions and lists of values
 * are done elsewhere.
 */
export function kindReasons(comparison: Comparison, inquiry: Inquiry): readonly Reason[] {
  const [atom = 'null'] = atomsOf(comparison.narrow)
  return [...compareKinds(atom, comparison, inquiry), ...opaqueReasons(atom, comparison, inquiry)]
}

function compareKinds(atom: Atom, comparison: Comparison, inquiry: Inquiry): readonly Reason[] {
  switch (atom) {
    case 'null':
    case 'boolean':
      return []
    case 'integer':
    case 'fraction':
      return numberReasons(comparison, inquiry)
    case 'string':
      return [...sizeReasons(comparison, inquiry, TEXT), ...textReasons(comparison, inquiry)]
    case 'array':
      return [...sizeReasons(comparison, inquiry, LIST), ...listReasons(comparison, inquiry)]
    case 'object':
      return [...sizeReasons(comparison, inquiry, RECORD), ...objectReasons(comparison, inquiry)]
  }
}

function numberReasons({ narrow, wide }: Comparison, { sides }: Inquiry): readonly Reason[] {
  const whole = isWhole(narrow)
  const lower = { narrow: lowerOf(narrow), wide: lowerOf(wide) }
  const upper = { narrow: upperOf(narrow), wide: upperOf(wide) }
  const isLow = keeps(lower, whole ? wholeLower : exactly, isAtLeast)
  const isHigh = keeps(upper, whole ? wholeUpper : exactly, isAtMost)
  return [
    ...(isLow || lower.wide === undefined
      ? []
      : [reason(moves(sides, 'minimum', lower.narrow, lower.wide))]),
    ...(isHigh || upper.wide === undefined
      ? []
      : [reason(moves(sides, 'maximum', upper.narrow, upper.wide))]),
    ...numbersOf(wide, 'multipleOf').flatMap((multiple) =>
      multipleReasons(multiple, narrow, sides),
    ),
  ]
}

type Limits = { readonly narrow: Limit | undefined; readonly wide: Limit | undefined }

function keeps(
  { narrow, wide }: Limits,
  rounded: (limit: Limit) => Limit,
  isWithin: (limit: Limit, other: Limit) => boolean,
): boolean {
  return wide === undefined || (narrow !== undefined && isWithin(rounded(narrow), rounded(wide)))
}

function exactly(limit: Limit): Limit {
  return limit
}

// only whole numbers divide without a doubt
function multipleReasons(multiple: number, narrow: View, sides: Sides): readonly Reason[] {
  const given = [...numbersOf(narrow, 'multipleOf'), ...(isWhole(narrow) ? [1] : [])]
  const divides = (one: number) =>
    one === multiple ||
    (Number.isSafeInteger(one) && Number.isSafeInteger(multiple) && one % multiple === 0)
  if (given.some(divides)) return []
  const [known] = numbersOf(narrow, 'multipleOf')
  return [
    reason(
      differs(
        sides,
        'multipleOf',
        known === undefined ? undefined : formatValue(known),
        formatValue(multiple),
      ),
    ),
  ]
}

type Size = { readonly least: string; readonly most: string; readonly name: string }

const TEXT: Size = { least: 'minLength', most: 'maxLength', name: 'length' }
const LIST: Size = { least: 'minItems', most: 'maxItems', name: 'number of items' }
const RECORD: Size = { least: 'minProperties', most: 'maxProperties', name: 'number of fields' }

function sizeReasons(
  { narrow, wide }: Comparison,
  { sides }: Inquiry,
  { least, most, name }: Size,
): readonly Reason[] {
  const lower = leastOf(wide, least) ?? 0
  const upper = mostOf(wide, most)
  return [
    ...((leastSize(narrow, least) ?? 0) >= lower
      ? []
      : [reason(describeSize(sides, `minimum ${name}`, leastOf(narrow, least), lower))]),
    ...(upper === undefined || (mostSize(narrow, most) ?? Number.POSITIVE_INFINITY) <= upper
      ? []
      : [reason(describeSize(sides, `maximum ${name}`, mostOf(narrow, most), upper))]),
  ]
}

function describeSize(sides: Sides, name: string, narrow: number | undefined, wide: number): Say {
  const known = narrow === undefined ? undefined : { value: narrow, isExclusive: false }
  return moves(sides, name, known, { value: wide, isExclusive: false })
}

// a pattern is the same or another: what two of them have in common is not worked out
function textReasons({ narrow, wide }: Comparison, { sides }: Inquiry): readonly Reason[] {
  return ['pattern', 'format'].flatMap((keyword) => {
    const [known] = narrow.parts.flatMap((part) => member(part, keyword) ?? [])
    const asked = wide.parts
      .flatMap((part) => member(part, keyword) ?? [])
      .filter((one) => !has(narrow, keyword, one))
    return asked.map((one) =>
      reason(
        differs(
          sides,
          keyword,
          known === undefined ? undefined : formatValue(known),
          formatValue(one),
        ),
      ),
    )
  })
}

function listReasons(
  { narrow, wide, level }: Comparison,
  { sides, reasons }: Inquiry,
): readonly Reason[] {
  const most = mostSize(narrow, 'maxItems') ?? Number.POSITIVE_INFINITY
  const prefix = Math.max(prefixOf(narrow), prefixOf(wide))
  const at = (index: number | 'rest') => {
    const [one, other] = [
      viewOf(narrow.document, itemAt(narrow, index)),
      viewOf(wide.document, itemAt(wide, index)),
    ]
    return inside(
      { item: index === 'rest' ? 'any' : index },
      reasons({ narrow: one, wide: other, level: level + 1 }),
    )
  }
  const isDistinct = most <= 1 || has(narrow, 'uniqueItems', true)
  return [
    ...(isDistinct || !has(wide, 'uniqueItems', true) ? [] : [reason(distinct(sides))]),
    ...Array.from({ length: Math.min(prefix, most) }, (_, index) => at(index)).flat(),
    ...(most > prefix ? at('rest') : []),
  ]
}

const ONLY: ReadonlyMap<string, Atom> = new Map<string, Atom>([
  ['contains', 'array'],
  ['minContains', 'array'],
  ['maxContains', 'array'],
  ['unevaluatedItems', 'array'],
  ['dependentRequired', 'object'],
  ['dependentSchemas', 'object'],
  ['dependencies', 'object'],
  ['unevaluatedProperties', 'object'],
])

// not worth a sentence beside the one they belong to
const FOLLOWS: ReadonlyMap<string, string> = new Map([
  ['then', 'if'],
  ['else', 'if'],
  ['minContains', 'contains'],
  ['maxContains', 'contains'],
])

// what is still there was not found on the narrow side in the same words
function opaqueReasons(
  atom: Atom,
  { narrow, wide }: Comparison,
  { sides, closed }: Inquiry,
): readonly Reason[] {
  const isExcluded = (source: Source) =>
    areDisjoint(narrow, viewOf(wide.document, [source]), closed)
  const keywords = wide.parts.flatMap((part) => {
    const inverse = sourceOf(part, 'not')
    const opaque = opaqueKeywords(part).filter((keyword) => (ONLY.get(keyword) ?? atom) === atom)
    return inverse === undefined || isExcluded(inverse) ? opaque : [...opaque, 'not']
  })
  const given = new Set(narrow.parts.flatMap(assertions))
  const leading = [...new Set(keywords)].filter(
    (keyword) => !keywords.includes(FOLLOWS.get(keyword) ?? ''),
  )
  return leading.map((keyword) => reason(cannotCompare(sides, keyword, given.has(keyword))))
}

function numbersOf(view: View, keyword: string): readonly number[] {
  return view.parts.flatMap((part) => numberOf(part, keyword) ?? [])
}

function has(view: View, keyword: string, value: unknown): boolean {
  return view.parts.some((part) => member(part, keyword) === value)
}
