import { isRecord } from '@surehand/core/internal'
import {
  atomsOf,
  Budget,
  both,
  declaredOf,
  fieldAt,
  itemAt,
  leastOf,
  leavingOut,
  mapOf,
  member,
  opaqueKeywords,
  requiredOf,
  SchemaDocument,
  type Source,
  TooComplex,
  unionsOf,
  type View,
  verdictOf,
  viewOf,
} from '@surehand/schema-diff'
import { ANYTHING, allOf, documentOf, eitherOf, type StaticType } from './static-type.ts'

/**
 * Where one step into a value leads: to a type that may be missing, or nowhere, with the names
 * there are instead.
 */
export type Followed =
  | { readonly kind: 'found'; readonly type: StaticType; readonly mayMiss: boolean }
  | { readonly kind: 'nowhere'; readonly names: readonly string[]; readonly isList: boolean }

const OPEN: Followed = { kind: 'found', type: ANYTHING, mayMiss: true }
const MOST_VARIANTS = 64

/** Goes one step into a type: a field by its name, an item by its number. */
export function follow(type: StaticType, step: string): Followed {
  try {
    const document = new SchemaDocument(documentOf(type), new Budget())
    const variants = variantsOf(viewOf(document, [document.root]))
    return variants === undefined ? OPEN : together(variants, step, type.documents)
  } catch (error) {
    if (error instanceof TooComplex) return OPEN
    throw error
  }
}

/** The items of a list; undefined where a value is never a list. */
export function itemsOf(type: StaticType): StaticType | undefined {
  try {
    const document = new SchemaDocument(documentOf(type), new Budget())
    const variants = variantsOf(viewOf(document, [document.root]))
    if (variants === undefined) return ANYTHING
    const lists = variants.filter((view) => atomsOf(view).has('array'))
    if (lists.length === 0) return undefined
    return eitherOf(
      lists.flatMap((view) => anyItem(view).map((sources) => allOf(sources, type.documents))),
    )
  } catch (error) {
    if (error instanceof TooComplex) return ANYTHING
    throw error
  }
}

// an item may be any of those in front, or of the rest
function anyItem(view: View): readonly (readonly Source[])[] {
  const inFront = Math.max(
    0,
    ...view.parts.map(
      (part) => (member(part, 'prefixItems') as readonly unknown[] | undefined)?.length ?? 0,
    ),
  )
  const rest = itemAt(view, 'rest')
  const front = Array.from({ length: inFront }, (_, index) => itemAt(view, index))
  return inFront > 0 && rest.includes(false) ? front : [...front, rest]
}

// one view for each way through the unions; undefined where they are too many
function variantsOf(view: View): readonly View[] | undefined {
  const done: View[] = []
  const open = [view]
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    if (open.length + done.length > MOST_VARIANTS) return undefined
    const [union] = unionsOf(current)
    if (union === undefined) done.push(current)
    else {
      const rest = leavingOut(current, union.part, [
        union.keyword,
        'unevaluatedProperties',
        'unevaluatedItems',
      ])
      open.push(...union.branches.map((branch) => both(rest, branch)))
    }
  }
  return done.filter((variant) => !variant.isNever && atomsOf(variant).size > 0)
}

function together(
  variants: readonly View[],
  step: string,
  documents: StaticType['documents'],
): Followed {
  // which branch of a union applies is for the value to say: only outside of them defaults are
  // filled in
  const ways = variants.flatMap((view) =>
    waysInto(view, step, variants.length === 1 ? 'filled' : 'as given'),
  )
  const found = ways.flatMap((way) => (way === 'nothing' ? [] : [allOf(way.sources, documents)]))
  if (found.length === 0)
    return {
      kind: 'nowhere',
      names: [...new Set(variants.flatMap((view) => [...declaredOf(view)]))],
      isList: variants.some((view) => atomsOf(view).has('array')),
    }
  return {
    kind: 'found',
    type: eitherOf(found),
    mayMiss: ways.some((way) => way === 'nothing' || way.mayMiss),
  }
}

type Way = 'nothing' | { readonly sources: readonly Source[]; readonly mayMiss: boolean }

type Defaults = 'filled' | 'as given'

function waysInto(view: View, step: string, defaults: Defaults): readonly Way[] {
  const atoms = atomsOf(view)
  const isIndex = /^\d+$/.test(step)
  return [
    ...(atoms.has('object') ? [field(view, step, defaults)] : []),
    ...(atoms.has('array') ? [isIndex ? item(view, Number(step)) : ('nothing' as const)] : []),
    ...([...atoms].some((atom) => atom !== 'object' && atom !== 'array')
      ? ['nothing' as const]
      : []),
  ]
}

function field(view: View, name: string, defaults: Defaults): Way {
  const sources = fieldAt(view, { name, matched: new Set() }, 'refuses')
  if (declaredOf(view).has(name) && sources !== undefined) {
    return way(
      sources,
      !requiredOf(view).has(name) && !(defaults === 'filled' && isFilled(view, name)),
    )
  }
  // a pattern, or a keyword that is not read, may know the name
  if (view.unreadable.length > 0 || view.parts.some(isUnclear)) return way([true], true)
  if (sources !== undefined) return way(sources, true)
  // what an object does not list is stripped
  return view.parts.some((part) => Object.hasOwn(part, 'properties'))
    ? 'nothing'
    : way([true], true)
}

function item(view: View, index: number): Way {
  return way(itemAt(view, index), (leastOf(view, 'minItems') ?? 0) <= index)
}

function way(sources: readonly Source[], mayMiss: boolean): Way {
  return sources.includes(false) ? 'nothing' : { sources, mayMiss }
}

function isUnclear(part: Parameters<typeof opaqueKeywords>[0]): boolean {
  return Object.keys(mapOf(part, 'patternProperties')).length > 0 || opaqueKeywords(part).length > 0
}

/** Does a field have a default? One that does not fit its own schema is not filled in. */
export function isFilled(view: View, name: string): boolean {
  const sources = fieldAt(view, { name, matched: new Set() }, 'refuses') ?? []
  const whole = viewOf(view.document, sources)
  return sources.some(
    (source) =>
      isRecord(source) &&
      Object.hasOwn(source, 'default') &&
      verdictOf(whole, source.default) === 'yes',
  )
}
