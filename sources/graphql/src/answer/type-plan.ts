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

/** What can be asked of a type without giving arguments: values first those that tell what it is. */
export type TypePlan = {
  readonly leaves: readonly Field[]
  readonly nested: readonly Field[]
  /** A page of a list: its items are what is meant, not it. */
  readonly isConnection: boolean
}

// what tells a thing from others of its kind, before what describes it
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

/** Plans of types, each made once. */
export function createPlans(model: SchemaModel): (type: Composite) => TypePlan {
  const known = new Map<string, TypePlan>()
  return (type) => {
    const found = known.get(type.name)
    if (found !== undefined) return found
    const made = planOf(type, model)
    known.set(type.name, made)
    return made
  }
}

function planOf(type: Composite, model: SchemaModel): TypePlan {
  const usable = type.fields.filter(isAskable)
  const leaves = usable.filter((field) => isLeaf(model.types.get(nameOf(field.type))))
  const composite = usable.filter((field) => isComposite(model.types.get(nameOf(field.type))))
  const items = itemsOf(composite)
  if (items !== undefined) {
    const pageInfo = composite.filter(({ name }) => name === 'pageInfo')
    return { leaves: byRank(leaves), nested: [...pageInfo, items], isConnection: true }
  }
  // what comes in pages is a question of its own, with arguments of its own
  const nested = composite.filter((field) => !isPaged(field))
  return { leaves: byRank(leaves), nested, isConnection: false }
}

function isAskable({ name, deprecated, inputs }: Field): boolean {
  if (deprecated !== undefined || name === 'clientMutationId' || inputs.some(isRequired))
    return false
  return !isSecretName(name)
}

function itemsOf(composite: readonly Field[]): Field | undefined {
  if (!composite.some(({ name, type }) => name === 'pageInfo' && !isList(type))) return undefined
  const listCalled = (wanted: string): Field | undefined =>
    composite.find(({ name, type }) => name === wanted && isList(type))
  return listCalled('nodes') ?? listCalled('edges')
}

export function isPaged(field: Field): boolean {
  return field.inputs.some(({ name }) => PAGING.has(name))
}

// the fields come sorted by name, and stay so within a rank
function byRank(fields: readonly Field[]): readonly Field[] {
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
