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
  /** How many of the leaves, from the first on, tell what the object is and how it stands. */
  readonly telling: number
  readonly nested: readonly Field[]
  /**
   * Objects that only the result of a mutation is asked for: those that are named like a secret,
   * and pages of lists.
   */
  readonly guarded: readonly Field[]
  /** A page of a list: its items matter, not the page itself. */
  readonly isConnection: boolean
}

// Fields that identify an object, before fields that describe it.
const RANKS: ReadonlyMap<string, number> = new Map(
  [
    'id',
    'key',
    'identifier',
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
    'priority',
    'dueDate',
    'value',
    'amount',
    'currency',
    'email',
    'createdAt',
    'updatedAt',
  ].map((name, rank) => [name, rank]),
)
// Names of other systems end alike: `displayName`, `financialStatus`, `totalPrice`, `dueDate`.
const TELLING =
  /(?:name|title|label|identifier|number|state|status|stage|type|priority|amount|price|total|balance|count|quantity|currency|date|email|phone|key|message|field|cursor|nextPage)$/i
// Times and references come after those: objects have dozens.
const LESS_TELLING = /At$|Id$/
// Switches and sort orders are many, and tell little.
const MINOR =
  /^(?:is|has|can|viewer|sub|board|sort|previous|embed|resource)[A-Z]|(?:sortOrder|Hash|Html|Base64|Raw|Data)$/
// Objects that are part of most questions about the object that holds them.
const PARTS: readonly RegExp[] = [
  /(?:^|[a-z])(?:state|status|total|price|amount|money|assignee|author|owner|customer)$/i,
  /(?:creator|user|team|project|parent|product|variant|order|address|account|channel|category|repository|milestone|node)$/i,
]
// In lists of errors these are all that is needed.
const ERROR_LEAVES = new Set(['message', 'field', 'path', 'code'])
// A type without telling names still shows its first fields.
const LEAST_TELLING = 4

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
  const askable = type.fields.filter(isAskable)
  const current = askable.filter(({ deprecated }) => deprecated === undefined)
  // A type that is deprecated as a whole can still be what a mutation returns.
  const usable = current.some((field) => isLeaf(model.types.get(nameOf(field.type))))
    ? current
    : askable
  const isShown = isSecretName(type.name) ? isShownOfSecret : isShownField
  const leaves = usable.filter(
    (field) => isLeaf(model.types.get(nameOf(field.type))) && isShown(field),
  )
  const composite = usable.filter((field) => isComposite(model.types.get(nameOf(field.type))))
  const items = findItems(composite)
  if (items !== undefined) {
    const pageInfo = composite.filter(({ name }) => name === 'pageInfo')
    const nested = [...pageInfo, items]
    return { ...sortLeaves(leaves), nested, guarded: [], isConnection: true }
  }
  // Paged fields need arguments, so they are left to operations of their own.
  const isOpen = (field: Field): boolean => isShownField(field) && !isPaged(field)
  const nested = composite
    .filter(isOpen)
    .toSorted((left, right) => rankOfPart(left) - rankOfPart(right))
  const guarded = composite.filter((field) => !isOpen(field))
  return { ...sortLeaves(leaves), nested, guarded, isConnection: false }
}

function isShownField({ name }: Field): boolean {
  return !isSecretName(name)
}

// An access token may have its secret in a field with any of these names.
const SECRET_VALUE = /^(?:value|key|code|content|data|text|raw|pem|plain.*)$/i

function isShownOfSecret(field: Field): boolean {
  return isShownField(field) && !SECRET_VALUE.test(field.name)
}

function rankOfPart(field: Field): number {
  if (isErrorList(field)) return PARTS.length + 2
  if (isList(field.type)) return PARTS.length + 1
  const rank = PARTS.findIndex((names) => names.test(field.name))
  return rank < 0 ? PARTS.length : rank
}

/** Whether a field lists what went wrong; it is nearly always empty. */
export function isErrorList({ name, type }: Field): boolean {
  return isList(type) && (/errors$/i.test(name) || /(?:Error|Problem)$/.test(nameOf(type)))
}

/**
 * The field that holds the amount of a price or total with taxes or two currencies, and its leaves.
 */
export function findAmount({ fields }: Composite, model: SchemaModel): AmountField | undefined {
  for (const name of ['gross', 'shopMoney', 'net']) {
    const field = fields.find((one) => one.name === name && !one.inputs.some(isRequired))
    const type = field === undefined ? undefined : model.types.get(nameOf(field.type))
    const leaves =
      type?.kind === 'object' ? type.fields.filter((one) => AMOUNT_LEAVES.has(one.name)) : []
    if (field !== undefined && leaves.some((leaf) => leaf.name === 'amount'))
      return { field, leaves }
  }
  return undefined
}

export type AmountField = { readonly field: Field; readonly leaves: readonly Field[] }
const AMOUNT_LEAVES = new Set(['amount', 'currency', 'currencyCode'])

export function isErrorLeaf({ name }: Field): boolean {
  return ERROR_LEAVES.has(name)
}

function isAskable({ name, inputs }: Field): boolean {
  return name !== 'clientMutationId' && !inputs.some(isRequired)
}

function findItems(composite: readonly Field[]): Field | undefined {
  if (!composite.some(({ name, type }) => name === 'pageInfo' && !isList(type))) return undefined
  const listCalled = (wanted: string): Field | undefined =>
    composite.find(({ name, type }) => name === wanted && isList(type))
  return listCalled('nodes') ?? listCalled('edges')
}

/** Whether a field lists as many items as its argument `first` says. */
export function takesFirst({ inputs }: Field): boolean {
  return inputs.some(({ name, type }) => name === 'first' && nameOf(type) === 'Int')
}

export function isPaged(field: Field): boolean {
  return field.inputs.some(({ name }) => PAGING.has(name))
}

// The fields are already sorted by name and keep that order within a rank.
function sortLeaves(fields: readonly Field[]): Pick<TypePlan, 'leaves' | 'telling'> {
  const ranked = fields.map((field) => ({ field, rank: rankOfLeaf(field) }))
  const telling = ranked.filter(({ rank }) => rank < UNRANKED).length
  return {
    leaves: ranked.toSorted((left, right) => left.rank - right.rank).map(({ field }) => field),
    telling: Math.max(telling, Math.min(LEAST_TELLING, fields.length)),
  }
}

const UNRANKED = 200

function rankOfLeaf({ name, type }: Field): number {
  const known = RANKS.get(name)
  if (known !== undefined) return known
  if (isList(type) || MINOR.test(name)) return UNRANKED + 1
  if (TELLING.test(name)) return UNRANKED - 2
  return LESS_TELLING.test(name) ? UNRANKED - 1 : UNRANKED
}

export function isLeaf(type: TypeDefinition | undefined): boolean {
  return type?.kind === 'scalar' || type?.kind === 'enum'
}

export function isComposite(type: TypeDefinition | undefined): boolean {
  return type?.kind === 'object' || type?.kind === 'interface' || type?.kind === 'union'
}
