import { visibleText } from '@surehand/core/host'
import { BOUNDS } from './bounds.ts'
import type {
  Composite,
  Field,
  InputValue,
  Roots,
  SchemaModel,
  TypeDefinition,
} from './schema-model.ts'

const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/
// These names reach into JavaScript's prototypes, so they never become keys of an input.
const FORBIDDEN_KEYS = new Set(['constructor', 'prototype'])
const BUILT_IN = ['Int', 'Float', 'String', 'Boolean', 'ID']

type Flaw = (what: string) => void

/**
 * Builds the model from the definitions of either reader. What is not valid GraphQL is left out and
 * listed in `flaws`.
 */
export function buildModel(definitions: readonly TypeDefinition[], roots: Roots): SchemaModel {
  const flaws: string[] = []
  const flaw: Flaw = (what) => {
    if (flaws.length < BOUNDS.flaws) flaws.push(visibleText(what.toWellFormed()).slice(0, 500))
  }
  const types = new Map<string, TypeDefinition>()
  for (const name of BUILT_IN) types.set(name, { kind: 'scalar', name, specifiedBy: undefined })
  for (const definition of sortByName(definitions, 'type', flaw)) {
    if (!types.has(definition.name)) types.set(definition.name, cleanType(definition, flaw))
  }
  return {
    types,
    possible: findPossibleTypes(types),
    query: findRoot(roots.query, types),
    mutation: findRoot(roots.mutation, types),
    subscription: findRoot(roots.subscription, types),
    flaws,
  }
}

function cleanType(type: TypeDefinition, flaw: Flaw): TypeDefinition {
  switch (type.kind) {
    case 'scalar':
      return type
    case 'union':
      return type
    case 'enum':
      return {
        ...type,
        values: [
          ...new Set(type.values.filter((name) => isName(name, `value of ${type.name}`, flaw))),
        ].sort(),
      }
    case 'input':
      return { ...type, inputs: cleanInputs(type.inputs, type.name, flaw) }
    case 'object':
    case 'interface':
      return {
        ...type,
        fields: sortByName(type.fields, `field of ${type.name}`, flaw).map((field) =>
          cleanField(field, type, flaw),
        ),
      }
  }
}

function cleanField(field: Field, owner: Composite, flaw: Flaw): Field {
  return { ...field, inputs: cleanInputs(field.inputs, `${owner.name}.${field.name}`, flaw) }
}

function cleanInputs(
  inputs: readonly InputValue[],
  owner: string,
  flaw: Flaw,
): readonly InputValue[] {
  return sortByName(inputs, `argument of ${owner}`, flaw)
}

// Sorted, so that a server that lists its schema in another order gives the same tools.
function sortByName<T extends { readonly name: string }>(
  list: readonly T[],
  what: string,
  flaw: Flaw,
): readonly T[] {
  const fit = list.filter(({ name }) => isName(name, what, flaw))
  if (isInOrder(fit)) return fit
  const groups = [...Map.groupBy(fit, ({ name }) => name).values()]
  return groups
    .flatMap((group) => mergeDuplicates(group, what, flaw))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

// Duplicates that differ only in their description count as one. If they differ in more, it is
// unknown which one holds.
function mergeDuplicates<T extends { readonly name: string }>(
  group: readonly T[],
  what: string,
  flaw: Flaw,
): readonly T[] {
  if (group.length === 1) return group
  const meaning = (same: T): string =>
    JSON.stringify(same, (key, value: unknown) => (key === 'description' ? undefined : value))
  if (new Set(group.map(meaning)).size === 1) return group.slice(0, 1)
  flaw(`The ${what} "${group[0]?.name}" is defined twice with different content, and is left out.`)
  return []
}

function isInOrder(list: readonly { readonly name: string }[]): boolean {
  return list.every(({ name }, index) => index === 0 || (list[index - 1]?.name ?? '') < name)
}

// Names are written into documents unescaped: anything else could end a field and begin another
// operation.
function isName(name: string, what: string, flaw: Flaw): boolean {
  if (name.startsWith('__') && what === 'type') return false
  const isFit = NAME.test(name) && name.length <= BOUNDS.nameLength && !name.startsWith('__')
  if (!isFit)
    flaw(`The ${what} "${name.slice(0, 100)}" does not have a valid GraphQL name, and is left out.`)
  return isFit
}

/** Whether this name may be a key of a tool's input. */
export function isKey(name: string): boolean {
  return !FORBIDDEN_KEYS.has(name)
}

function findRoot(
  name: string | undefined,
  types: ReadonlyMap<string, TypeDefinition>,
): string | undefined {
  return name !== undefined && types.get(name)?.kind === 'object' ? name : undefined
}

// From the objects' own `implements`: the list that an interface gives may name types that are not
// objects.
function findPossibleTypes(
  types: ReadonlyMap<string, TypeDefinition>,
): ReadonlyMap<string, readonly string[]> {
  const possible = new Map<string, Set<string>>()
  for (const type of types.values()) {
    if (type.kind === 'interface') possible.set(type.name, possible.get(type.name) ?? new Set())
    if (type.kind === 'union')
      possible.set(
        type.name,
        new Set(type.members.filter((name) => types.get(name)?.kind === 'object')),
      )
    if (type.kind !== 'object') continue
    for (const name of type.interfaces) {
      if (types.get(name)?.kind === 'interface')
        possible.set(name, (possible.get(name) ?? new Set()).add(type.name))
    }
  }
  return new Map([...possible].map(([name, members]) => [name, [...members].sort()]))
}
