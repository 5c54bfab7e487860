import { mapOf } from './schema-keywords.ts'
import {
  isAtLeast,
  isWhole,
  type Limit,
  lowerOf,
  upperOf,
  wholeLower,
  wholeUpper,
} from './schema-limits.ts'
import { candidatesOf, verdictOf } from './schema-verdict.ts'
import {
  atomsOf,
  both,
  type Closed,
  fieldAt,
  leavingOut,
  requiredOf,
  unionsOf,
  type View,
  viewOf,
} from './schema-view.ts'

const LEVELS = 6

/** Whether no value is valid in both views; false where that cannot be decided. */
export function areDisjoint(left: View, right: View, closed: Closed): boolean {
  return areApart(left, right, { closed, levels: LEVELS })
}

type Search = { readonly closed: Closed; readonly levels: number }

function areApart(left: View, right: View, search: Search): boolean {
  left.document.budget.spend()
  if (left.isNever || right.isNever) return true
  if (search.levels === 0) return false
  const shared = atomsOf(left).intersection(atomsOf(right))
  if (shared.size === 0 || noneFits(left, right) || noneFits(right, left)) return true
  if (isSplit(left, right, search) || isSplit(right, left, search)) return true
  return [...shared].every((atom) => {
    if (atom === 'integer' || atom === 'fraction')
      return endsBefore(left, right) || endsBefore(right, left)
    return atom === 'object' && fieldsDiffer(left, right, search)
  })
}

function noneFits(left: View, right: View): boolean {
  return candidatesOf(left)?.every((value) => verdictOf(right, value) === 'no') ?? false
}

function isSplit(left: View, right: View, search: Search): boolean {
  return unionsOf(left).some(({ part, keyword, branches }) => {
    const rest = leavingOut(left, part, [keyword, 'unevaluatedProperties', 'unevaluatedItems'])
    return branches.every((branch) => areApart(both(rest, branch), right, deeper(search)))
  })
}

function endsBefore(left: View, right: View): boolean {
  const upper = upperOf(left)
  const lower = lowerOf(right)
  if (upper === undefined || lower === undefined) return false
  const whole = isWhole(left) || isWhole(right)
  return isPast(whole ? wholeUpper(upper) : upper, whole ? wholeLower(lower) : lower)
}

// everything up to the one lies outside of everything from the other
function isPast(upper: Limit, lower: Limit): boolean {
  return isAtLeast(lower, { value: upper.value, isExclusive: !upper.isExclusive })
}

// a field that is there in every value, and never the same: this distinguishes the variants of a
// union
function fieldsDiffer(left: View, right: View, search: Search): boolean {
  const names = requiredOf(left).union(requiredOf(right))
  return [...names].some((name) =>
    areApart(certainField(left, name, search), certainField(right, name, search), deeper(search)),
  )
}

// patterns are not run, so where there are some it is open what holds of a name that is not
// declared
function certainField(view: View, name: string, { closed }: Search): View {
  const parts = view.parts.filter(
    (part) =>
      Object.hasOwn(mapOf(part, 'properties'), name) || !Object.hasOwn(part, 'patternProperties'),
  )
  return viewOf(
    view.document,
    fieldAt({ ...view, parts }, { name, matched: new Set() }, closed) ?? [],
  )
}

function deeper({ closed, levels }: Search): Search {
  return { closed, levels: levels - 1 }
}
