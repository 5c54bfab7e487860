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
// names of objects' own machinery never become keys of an input (RULES.md §1)
const UNWELCOME = new Set(['constructor', 'prototype'])
const BUILT_IN = ['Int', 'Float', 'String', 'Boolean', 'ID']

type Flaw = (what: string) => void

/** Definitions of either reader to a model. What is no GraphQL, or would end a document early, is left out and told. */
export function buildModel(definitions: readonly TypeDefinition[], roots: Roots): SchemaModel {
  const flaws: string[] = []
  const flaw: Flaw = (what) => {
    if (flaws.length < BOUNDS.flaws) flaws.push(visibleText(what.toWellFormed()).slice(0, 500))
  }
  const types = new Map<string, TypeDefinition>()
  for (const name of BUILT_IN) types.set(name, { kind: 'scalar', name, specifiedBy: undefined })
  for (const definition of byName(definitions, 'type', flaw)) {
    if (!types.has(definition.name)) types.set(definition.name, cleaned(definition, flaw))
  }
  return {
    types,
    possible: possibleTypes(types),
    query: rootOf(roots.query, types),
    mutation: rootOf(roots.mutation, types),
    subscription: rootOf(roots.subscription, types),
    flaws,
  }
}

function cleaned(type: TypeDefinition, flaw: Flaw): TypeDefinition {
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
      return { ...type, inputs: inputsOf(type.inputs, type.name, flaw) }
    case 'object':
    case 'interface':
      return {
        ...type,
        fields: byName(type.fields, `field of ${type.name}`, flaw).map((field) =>
          fieldOf(field, type, flaw),
        ),
      }
  }
}

function fieldOf(field: Field, owner: Composite, flaw: Flaw): Field {
  return { ...field, inputs: inputsOf(field.inputs, `${owner.name}.${field.name}`, flaw) }
}

function inputsOf(inputs: readonly InputValue[], owner: string, flaw: Flaw): readonly InputValue[] {
  return byName(inputs, `argument of ${owner}`, flaw)
}

// sorted, so that a server that lists its schema in another order has the same tools
function byName<T extends { readonly name: string }>(
  list: readonly T[],
  what: string,
  flaw: Flaw,
): readonly T[] {
  const fit = list.filter(({ name }) => isName(name, what, flaw))
  if (isInOrder(fit)) return fit
  const groups = [...Map.groupBy(fit, ({ name }) => name).values()]
  return groups
    .flatMap((group) => one(group, what, flaw))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

// said twice in other words is said once; of two that differ nobody knows which holds
function one<T extends { readonly name: string }>(
  group: readonly T[],
  what: string,
  flaw: Flaw,
): readonly T[] {
  if (group.length === 1) return group
  const meaning = (same: T): string =>
    JSON.stringify(same, (key, value: unknown) => (key === 'description' ? undefined : value))
  if (new Set(group.map(meaning)).size === 1) return group.slice(0, 1)
  flaw(`The ${what} "${group[0]?.name}" stands there twice, and is left out.`)
  return []
}

function isInOrder(list: readonly { readonly name: string }[]): boolean {
  return list.every(({ name }, index) => index === 0 || (list[index - 1]?.name ?? '') < name)
}

// a name goes into documents as it is: what is no name could end one and begin another
function isName(name: string, what: string, flaw: Flaw): boolean {
  if (name.startsWith('__') && what === 'type') return false
  const isFit = NAME.test(name) && name.length <= BOUNDS.nameLength && !name.startsWith('__')
  if (!isFit)
    flaw(`The ${what} "${name.slice(0, 100)}" has no name that GraphQL knows, and is left out.`)
  return isFit
}

/** It can be the key of a tool's input. */
export function isKey(name: string): boolean {
  return !UNWELCOME.has(name)
}

function rootOf(
  name: string | undefined,
  types: ReadonlyMap<string, TypeDefinition>,
): string | undefined {
  return name !== undefined && types.get(name)?.kind === 'object' ? name : undefined
}

// by what the objects say of themselves: a list of the interface's own may name what is no object
function possibleTypes(
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
