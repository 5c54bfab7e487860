import {
  areDisjoint,
  atomsOf,
  Budget,
  holds,
  inclusion,
  kinds,
  SchemaDocument,
  TooComplex,
  viewOf,
} from '@surehand/schema-diff'
import { documentOf, type StaticType } from './static-type.ts'

/** Whether values of one type are valid in another: all of them, none, or it cannot be decided. */
export type Relation = 'fits' | 'never' | 'open'

export type Relate = (narrow: StaticType, wide: StaticType) => Relation

// each of them may take half a second: a program made of such schemas is not looked at further
const MOST_TOO_COMPLEX = 5

/** Compares types, and gives up on a program whose schemas are made to take long. */
export function createRelate(): Relate {
  let tooComplex = 0
  return (narrow, wide) => {
    if (wide.source === true) return 'fits'
    if (tooComplex >= MOST_TOO_COMPLEX) return 'open'
    try {
      return compareTypes(narrow, wide)
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error
      tooComplex++
      return 'open'
    }
  }
}

function compareTypes(narrow: StaticType, wide: StaticType): Relation {
  const budget = new Budget()
  const [inner, outer] = [
    new SchemaDocument(documentOf(narrow), budget),
    new SchemaDocument(documentOf(wide), budget),
  ]
  if (areDisjoint(viewOf(inner, [inner.root]), viewOf(outer, [outer.root]), 'refuses'))
    return 'never'
  const reasons = inclusion(inner, outer, {
    sides: { direction: 'input', narrow: 'before' },
    closed: 'refuses',
  })
  return holds(reasons) ? 'fits' : 'open'
}

/** What a value of the type is, in words. */
export function kindWords(type: StaticType): string {
  try {
    const document = new SchemaDocument(documentOf(type), new Budget())
    const atoms = atomsOf(viewOf(document, [document.root]))
    return atoms.size === 7 ? 'anything' : kinds(atoms)
  } catch (error) {
    if (error instanceof TooComplex) return 'something'
    throw error
  }
}
