import {
  type Composite,
  type Field,
  isList,
  isRequired,
  nameOf,
  type SchemaModel,
  type TypeDefinition,
} from '../schema/schema-model.ts'
import { isSecretName } from '../schema/secret-name.ts'

/** The fields of a type that can be selected without arguments; identifying fields come first. */
export type TypePlan = {
  readonly leaves: readonly Field[]
  readonly nested: readonly Field[]
  /** A page of a list: its items matter, not the page itself. */
  readonly isConnection: boolean
}

// Fields that identify an object, before fields that describe it.
const RANKS: ReadonlyMap<string, number> = new Map(
  [
    'id',
    'key',
    'name',
    'login',
    'title',
    'number',
    'slug',
    'code',
    'type',
    'kind',
    'state',
    'status',
    'url',
    'description',
    'message',
    'value',
    'amount',
    'currency',
    'email',
    'createdAt',
    'updatedAt',
  ].map((name, rank) => [name, rank]),
)
const PAGING = new Set([
  'first',
  'last',
  'limit',
  'take',
  'pageSize',
  'perPage',
  'page',
  'after',
  'offset',
  'skip',
])

/** Plans each type once. */
export function createPlans(model: SchemaModel): (type: Composite) => TypePlan {
  const known = new Map<string, TypePlan>()
  return (type) => {
    const found = known.get(type.name)
    if (found !== undefined) return found
    const made = planType(type, model)
    known.set(type.name, made)
    return made
  }
}

function planType(type: Composite, model: SchemaModel): TypePlan {
  const usable = type.fields.filter(isAskable)
  const leaves = usable.filter((field) => isLeaf(model.types.get(nameOf(field.type))))
  const composite = usable.filter((field) => isComposite(model.types.get(nameOf(field.type))))
  const items = findItems(composite)
  if (items !== undefined) {
    const pageInfo = composite.filter(({ name }) => name === 'pageInfo')
    return { leaves: sortByRank(leaves), nested: [...pageInfo, items], isConnection: true }
  }
  // Paged fields need arguments, so they are left to operations of their own.
  const nested = composite.filter((field) => !isPaged(field))
  return { leaves: sortByRank(leaves), nested, isConnection: false }
}

function isAskable({ name, deprecated, inputs }: Field): boolean {
  if (deprecated !== undefined || name === 'clientMutationId' || inputs.some(isRequired))
    return false
  return !isSecretName(name)
}

function findItems(composite: readonly Field[]): Field | undefined {
  if (!composite.some(({ name, type }) => name === 'pageInfo' && !isList(type))) return undefined
  const listCalled = (wanted: string): Field | undefined =>
    composite.find(({ name, type }) => name === wanted && isList(type))
  return listCalled('nodes') ?? listCalled('edges')
}

export function isPaged(field: Field): boolean {
  return field.inputs.some(({ name }) => PAGING.has(name))
}

// The fields are already sorted by name and keep that order within a rank.
function sortByRank(fields: readonly Field[]): readonly Field[] {
  const telling = fields.filter(({ name }) => RANKS.has(name))
  if (telling.length === 0) return fields
  telling.sort((left, right) => (RANKS.get(left.name) ?? 0) - (RANKS.get(right.name) ?? 0))
  return [...telling, ...fields.filter(({ name }) => !RANKS.has(name))]
}

export function isLeaf(type: TypeDefinition | undefined): boolean {
  return type?.kind === 'scalar' || type?.kind === 'enum'
}

export function isComposite(type: TypeDefinition | undefined): boolean {
  return type?.kind === 'object' || type?.kind === 'interface' || type?.kind === 'union'
}
