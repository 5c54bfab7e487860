import type { Comparison, Inquiry } from './schema-comparison.ts'
import { areDisjoint } from './schema-disjoint.ts'
import { formatValue, holds, type Reason, reason } from './schema-reason.ts'
import { refuses } from './schema-sentences.ts'
import { candidatesOf } from './schema-verdict.ts'
import { fieldAt, requiredOf, type Union, type View, viewOf } from './schema-view.ts'

/** Why no branch of a union on the wide side takes every value; of `oneOf`, no other branch may take any of them. */
export function unionReasons(
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
