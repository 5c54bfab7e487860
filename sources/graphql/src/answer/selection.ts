import { isList, type TypeReference, typeText } from '../schema/schema-model.ts'

/** The selected fields of an object, interface or union. */
export type Selection = readonly SelectedField[]

export type SelectedField = {
  /** Its name in the tool's answer. */
  readonly name: string
  /** Its name in the server's answer, where fields of two types would collide. */
  readonly alias?: string
  /** The type of the fragment that it belongs to. */
  readonly on?: string
  /** How many items of a page are asked for. */
  readonly first?: number
  readonly fields?: Selection
}

/** A field of a selection that is still being built. */
export type Draft = {
  readonly name: string
  readonly type: TypeReference
  readonly on: string | undefined
  readonly first?: number
  readonly fields: Draft[] | undefined
}

/** The selection as it is written in a document. */
export function selectionText(selection: Selection): string {
  const groups = Map.groupBy(selection, ({ on }) => on)
  const own = (groups.get(undefined) ?? []).map(fieldText)
  const fragments = [...groups].flatMap(([on, fields]) =>
    on === undefined ? [] : [`... on ${on} { ${fields.map(fieldText).join(' ')} }`],
  )
  return `{ ${[...own, ...fragments].join(' ')} }`
}

function fieldText({ name, alias, first, fields }: SelectedField): string {
  const called = first === undefined ? name : `${name}(first: ${first})`
  const head = alias === undefined ? called : `${alias}: ${called}`
  return fields === undefined ? head : `${head} ${selectionText(fields)}`
}

export const TYPENAME: Draft = {
  name: '__typename',
  type: { kind: 'nonNull', of: { kind: 'named', name: 'String' } },
  on: undefined,
  fields: undefined,
}

/** About how many values a field of this type returns. */
export function weightOf(type: TypeReference): number {
  return isList(type) ? LIST_WEIGHT : 1
}

export const LIST_WEIGHT = 5

const NONE: ReadonlySet<string> = new Set()

/**
 * Finishes a selection for sending: fields of different types that would collide in the answer get
 * aliases.
 */
export function finishSelection(drafts: readonly Draft[]): Selection {
  const contested = findConflictingNames(drafts)
  const taken =
    contested.size === 0
      ? undefined
      : new Set(drafts.flatMap(({ name }) => (contested.has(name) ? [] : [name])))
  return drafts.map((draft): SelectedField => {
    const { name, on, first, fields } = draft
    const alias =
      on !== undefined && taken !== undefined && contested.has(name)
        ? freeName(`${on}__${name}`, taken)
        : undefined
    return {
      name,
      ...(alias === undefined ? {} : { alias }),
      ...(on === undefined ? {} : { on }),
      ...(first === undefined ? {} : { first }),
      ...(fields === undefined ? {} : { fields: finishSelection(fields) }),
    }
  })
}

// GraphQL allows the same name in two fragments only for scalars of the same type.
function findConflictingNames(drafts: readonly Draft[]): ReadonlySet<string> {
  if (drafts.every(({ on }) => on === undefined)) return NONE
  const groups = Map.groupBy(drafts, ({ name }) => name)
  const isContested = (group: readonly Draft[]): boolean =>
    group.length > 1 &&
    (group.some(({ fields }) => fields !== undefined) ||
      new Set(group.map(({ type }) => typeText(type))).size > 1)
  return new Set([...groups].flatMap(([name, group]) => (isContested(group) ? [name] : [])))
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let index = 2; taken.has(name); index++) name = `${wanted}_${index}`
  taken.add(name)
  return name
}
