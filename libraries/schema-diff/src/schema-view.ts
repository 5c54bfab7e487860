import { isRecord, type JsonSchema } from '@surehand/core/internal'
import type { SchemaDocument } from './schema-document.ts'
import {
  ATOMS,
  type Atom,
  assertions,
  atomOf,
  isReadable,
  listedValues,
  mapOf,
  member,
  namesOf,
  numberOf,
  type Source,
  sourceIn,
  sourceOf,
  sourcesOf,
  typedAtoms,
} from './schema-keywords.ts'

/**
 * What has to hold of one value: all parts together, with references and `allOf` followed. Leaving
 * a part out makes a view wider, so what can't be read may be left out of the narrower side of a
 * comparison, never of the wider.
 */
export type View = {
  readonly document: SchemaDocument
  readonly parts: readonly JsonSchema[]
  readonly unreadable: readonly JsonSchema[]
  /** Nothing is valid. */
  readonly isNever: boolean
}

/**
 * A field by its name, or any undeclared field; both possibilities are tried for each pattern that
 * its name may match.
 */
export type Key = { readonly name: string | undefined; readonly matched: ReadonlySet<string> }

/** What becomes of keys where `additionalProperties` is false. */
export type Closed = 'refuses' | 'tolerates'

/** Where a value is a union: one branch of it has to hold. */
export type Union = {
  readonly part: JsonSchema
  readonly keyword: 'anyOf' | 'oneOf'
  readonly branches: readonly Source[]
}

/** The view of schemas that hold together. */
export function viewOf(document: SchemaDocument, sources: readonly Source[]): View {
  const [first] = sources
  if (first === undefined || sources.length > 1) return gatherView(document, sources)
  const view = document.views.get(first) ?? gatherView(document, sources)
  document.views.set(first, view)
  return view
}

function gatherView(document: SchemaDocument, sources: readonly Source[]): View {
  document.budget.spend()
  const parts: JsonSchema[] = []
  const unreadable: JsonSchema[] = []
  const open = [...sources]
  const seen = new Set<Source>()
  let isNever = false
  for (let source = open.shift(); source !== undefined; source = open.shift()) {
    if (source === false) isNever = true
    if (typeof source === 'boolean' || seen.has(source)) continue
    seen.add(source)
    const reference = isReadable(source)
      ? (member(source, '$ref') as string | undefined)
      : undefined
    const target = reference === undefined ? true : document.target(reference)
    if (!isReadable(source) || target === undefined) {
      unreadable.push(source)
      continue
    }
    const inverse = sourceOf(source, 'not')
    if (inverse === true || (isRecord(inverse) && assertions(inverse).length === 0)) isNever = true
    if (constrains(source)) parts.push(source)
    open.push(target, ...sourcesOf(source, 'allOf'))
  }
  return { document, parts, unreadable, isNever }
}

function constrains(part: JsonSchema): boolean {
  return assertions(part).some((keyword) => keyword !== '$ref' && keyword !== 'allOf')
}

/** The view with one more schema that has to hold. */
export function both(view: View, source: Source): View {
  const more = viewOf(view.document, [source])
  return {
    document: view.document,
    parts: [...new Set([...view.parts, ...more.parts])],
    unreadable: [...new Set([...view.unreadable, ...more.unreadable])],
    isNever: view.isNever || more.isNever,
  }
}

/**
 * The view with some keywords of one part left out; without the part where nothing else is in it.
 */
export function leavingOut(view: View, part: JsonSchema, keywords: readonly string[]): View {
  const rest = view.document.without(part, keywords)
  return {
    ...view,
    parts: view.parts.flatMap((one) => (one !== part ? [one] : constrains(rest) ? [rest] : [])),
  }
}

/** The same text for the same view of a document. */
export function nameOf({ document, parts, unreadable, isNever }: View): string {
  if (isNever) return 'never'
  const ids = (list: readonly JsonSchema[]) =>
    list.map((part) => document.id(part)).sort((left, right) => left - right)
  return `${ids(parts)};${ids(unreadable)}`
}

export function unionsOf(view: View): readonly Union[] {
  return view.parts.flatMap((part) =>
    (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
      const branches = sourcesOf(part, keyword)
      return branches.length > 0 ? [{ part, keyword, branches }] : []
    }),
  )
}

/** The kinds of values that may be valid: never too few. */
export function atomsOf(view: View): ReadonlySet<Atom> {
  if (view.isNever) return new Set()
  let atoms: ReadonlySet<Atom> = new Set(ATOMS)
  for (const part of view.parts) {
    atoms = atoms.intersection(typedAtoms(part) ?? atoms)
    const values = listedValues(part)
    if (values !== undefined) atoms = atoms.intersection(new Set(values.map(atomOf)))
  }
  for (const { branches } of unionsOf(view)) {
    atoms = atoms.intersection(
      new Set(branches.flatMap((branch) => [...branchAtoms(view.document, branch)])),
    )
  }
  return atoms
}

function branchAtoms(document: SchemaDocument, branch: Source): ReadonlySet<Atom> {
  const known = document.atoms.get(branch)
  if (known !== undefined) return known
  // a branch that comes up again within itself may be anything
  document.atoms.set(branch, new Set(ATOMS))
  const atoms = document.budget.nested(() => atomsOf(viewOf(document, [branch])))
  document.atoms.set(branch, atoms)
  return atoms
}

/** The strictest of a lower limit's values. */
export function leastOf(view: View, keyword: string): number | undefined {
  const limits = view.parts.flatMap((part) => numberOf(part, keyword) ?? [])
  return limits.length === 0 ? undefined : Math.max(...limits)
}

/** The strictest of an upper limit's values. */
export function mostOf(view: View, keyword: string): number | undefined {
  const limits = view.parts.flatMap((part) => numberOf(part, keyword) ?? [])
  return limits.length === 0 ? undefined : Math.min(...limits)
}

export function requiredOf(view: View): ReadonlySet<string> {
  return new Set(view.parts.flatMap((part) => namesOf(part, 'required')))
}

/** The names that `properties` declares. */
export function declaredOf(view: View): ReadonlySet<string> {
  return new Set(view.parts.flatMap((part) => Object.keys(mapOf(part, 'properties'))))
}

export function patternsOf(view: View): ReadonlySet<string> {
  return new Set(view.parts.flatMap((part) => Object.keys(mapOf(part, 'patternProperties'))))
}

/** What has to hold of a field; undefined where no part says anything of it. */
export function fieldAt(view: View, key: Key, closed: Closed): readonly Source[] | undefined {
  const found = view.parts.flatMap((part) => fieldIn(part, key, closed))
  return found.length === 0 ? undefined : found
}

function fieldIn(part: JsonSchema, { name, matched }: Key, closed: Closed): readonly Source[] {
  const properties = mapOf(part, 'properties')
  const own =
    name !== undefined && Object.hasOwn(properties, name) ? [properties[name] as Source] : []
  const patterns = Object.entries(mapOf(part, 'patternProperties')).filter(([pattern]) =>
    matched.has(pattern),
  )
  const named = [...own, ...patterns.map(([, source]) => source)]
  const other = sourceOf(part, 'additionalProperties')
  if (named.length > 0 || other === undefined || (other === false && closed === 'tolerates'))
    return named
  return [other]
}

/** What has to hold of an item; 'rest' are the items behind every prefix. */
export function itemAt(view: View, index: number | 'rest'): readonly Source[] {
  return view.parts.flatMap((part) => {
    const own = index === 'rest' ? undefined : sourcesOf(part, 'prefixItems')[index]
    return own === undefined ? sourceIn(part, 'items') : [own]
  })
}

export function prefixOf(view: View): number {
  return Math.max(0, ...view.parts.map((part) => sourcesOf(part, 'prefixItems').length))
}
