import { coinduction } from './schema-coinduction.ts'
import { areDisjoint } from './schema-disjoint.ts'
import type { SchemaDocument } from './schema-document.ts'
import { type Atom, assertions, listedValues, type Source } from './schema-keywords.ts'
import { kindReasons } from './schema-kind-inclusion.ts'
import { holds, type Reason, reason, type Sides, shown } from './schema-reason.ts'
import { sameness } from './schema-same.ts'
import { kinds, lists, refuses, values } from './schema-sentences.ts'
import { candidatesOf, verdictOf } from './schema-verdict.ts'
import { atomsOf, both, leavingOut, nameOf, requiredOf, type Union, unionsOf, type View, viewOf } from './schema-view.ts'

/** What the parts of a comparison need of the whole. */
export type Inclusion = {
  readonly sides: Sides
  /** Whether the wide side reads past fields it does not know, even where it says that there are none. */
  readonly closed: 'refuses' | 'tolerates'
  /** Why not every value of a narrow view is valid in a wide one, `level` steps inside the whole value. */
  readonly reasons: (narrow: View, wide: View, level: number) => readonly Reason[]
}

// one place that changed can be reached in very many ways
const MOST_REASONS = 100

const CIRCULAR = [reason(({ subject }) => `${subject} refers to itself without end`)]

/** Why not every value that is valid in the narrow document is valid in the wide one; nothing but tolerated reasons is a proof. */
export function inclusion(narrowDocument: SchemaDocument, wideDocument: SchemaDocument, choices: Omit<Inclusion, 'reasons'>): readonly Reason[] {
  const same = sameness(narrowDocument, wideDocument)
  const { sides } = choices
  const { prove } = coinduction<readonly Reason[]>({ assumed: [], circular: CIRCULAR, holds })

  function reasons(narrow: View, wide: View, level: number): readonly Reason[] {
    if (narrow.isNever) return []
    if (wide.isNever) return [reason(refuses(sides, 'anything'))]
    const goal = unproven(narrow, wide)
    if (goal.unreadable.length > 0) return [reason(({ subject }) => `${subject} holds a schema that can't be read, or a reference that leads nowhere`)]
    if (goal.parts.length === 0) return []
    const claim = `${nameOf(narrow)}|${nameOf(goal)}`
    return prove(claim, level, () => narrowDocument.budget.nested(() => capped(attempt(narrow, goal, level))))
  }

  // what both sides say in the same words needs no reasoning, and what can't be reasoned about holds in no other way
  function unproven(narrow: View, wide: View): View {
    const given = [...narrow.parts, ...narrow.unreadable]
    const isGiven = (part: (typeof given)[number]) => given.some((one) => same.schemas(one, part))
    const parts = wide.parts.filter((part) => !isGiven(part))
    const unreadable = wide.unreadable.filter((part) => !isGiven(part))
    const open: View = { ...wide, parts, unreadable }
    return parts.reduce((view, part) => {
      const groups = groupsOf(part).filter((group) => given.some((one) => same.keywords(one, part, group)))
      return groups.length === 0 ? view : leavingOut(view, part, groups.flat())
    }, open)
  }

  function attempt(narrow: View, wide: View, level: number): readonly Reason[] {
    const [union] = unionsOf(narrow)
    if (union !== undefined) {
      // without the branches more is unevaluated, and the rest would be narrower than the whole
      const rest = leavingOut(narrow, union.part, [union.keyword, 'unevaluatedProperties', 'unevaluatedItems'])
      return union.branches.flatMap((branch) => reasons(both(rest, branch), wide, level))
    }
    const atoms = atomsOf(narrow)
    const allowed = atomsOf(wide)
    const refused = atoms.difference(allowed)
    const told = refused.size === 0 ? [] : [reason(refuses(sides, kinds(refused)))]
    const types = typesOf(atoms.intersection(allowed))
    if (types.length > 1) return [...told, ...types.flatMap((type) => reasons(both(narrow, type), wide, level))]
    return [...told, ...(candidateReasons(narrow, wide, allowed) ?? (types.length === 0 ? [] : typedReasons(narrow, wide, level)))]
  }

  function candidateReasons(narrow: View, wide: View, allowed: ReadonlySet<Atom>): readonly Reason[] | undefined {
    const candidates = candidatesOf(narrow)?.filter((value) => allowed.size === 0 || atomsOf(wide).size > 0)
    if (candidates === undefined) return undefined
    const refused = candidates.filter((value) => verdictOf(wide, value) === 'no')
    const open = candidates.filter((value) => verdictOf(wide, value) === 'unknown')
    return [
      ...(refused.length === 0 ? [] : [reason(refuses(sides, values(refused)))]),
      ...(open.length === 0 ? [] : [reason(({ of }) => `what became of ${values(open)}${of} can't be told`)]),
    ]
  }

  function typedReasons(narrow: View, wide: View, level: number): readonly Reason[] {
    const listing = wide.parts.map(listedValues).find((list) => list !== undefined)
    if (listing !== undefined) return [reason(lists(sides, listing))]
    return [
      ...unionsOf(wide).flatMap((union) => unionReasons(narrow, { union, document: wide.document }, level)),
      ...kindReasons(narrow, wide, level, { ...choices, reasons }),
    ]
  }
}
