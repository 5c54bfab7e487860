import type { Comparison, Inquiry } from './schema-comparison.ts'
import { areDisjoint } from './schema-disjoint.ts'
import { holds, type Reason, reason, shown } from './schema-reason.ts'
import { refuses } from './schema-sentences.ts'
import { candidatesOf } from './schema-verdict.ts'
import { fieldAt, requiredOf, type Union, type View, viewOf } from './schema-view.ts'

/** Why no branch of a union on the wide side takes every value; of `oneOf`, no other branch may take any of them. */
export function unionReasons({ keyword, branches }: Union, comparison: Comparison, inquiry: Inquiry): readonly Reason[] {
  const { narrow, wide } = comparison
  const tries = branches.map((branch) => {
    const view = viewOf(wide.document, [branch])
    return { view, why: inquiry.reasons({ ...comparison, wide: view }) }
  })
  const possible = tries.filter(({ view }) => !areDisjoint(narrow, view, inquiry.closed))
  const fitting = tries.filter(({ why }) => holds(why))
  const [best] = fitting.filter((one) => keyword === 'anyOf' || possible.every((other) => other === one)).sort(byLength)
  if (best !== undefined) return best.why
  if (fitting.length > 0) return [reason(({ of }) => `the variants${of} may overlap, and no more than one may fit`)]
  const [nearest] = possible.sort(byLength)
  return nearest?.why ?? [reason(refuses(inquiry.sides, variant(narrow)))]
}

function byLength(left: { readonly why: readonly Reason[] }, right: { readonly why: readonly Reason[] }): number {
  return left.why.length - right.why.length
}

// a variant is known by the field that has one value in it
function variant(view: View): string {
  for (const name of requiredOf(view)) {
    const values = candidatesOf(viewOf(view.document, fieldAt(view, { name, matched: new Set() }, 'refuses') ?? []))
    if (values?.length === 1) return `the variant with ${shown(name)} = ${shown(values[0])}`
  }
  return 'one of its variants'
}
