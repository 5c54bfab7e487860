import { isList, type TypeReference } from '../schema/schema-model.ts'

/** What is asked for of a composite value. */
export type Selection = readonly SelectedField[]

export type SelectedField = {
  /** In the tool's answer. */
  readonly name: string
  /** In the server's answer, where two types behind one field would get in each other's way. */
  readonly alias?: string
  /** The type of the fragment it stands in. */
  readonly on?: string
  readonly fields?: Selection
}

/** A field while a selection grows. */
export type Draft = {
  readonly name: string
  readonly type: TypeReference
  readonly on: string | undefined
  readonly fields: Draft[] | undefined
}

/** The selection as it stands in a document. */
export function selectionText(selection: Selection): string {
  const groups = Map.groupBy(selection, ({ on }) => on)
  const own = (groups.get(undefined) ?? []).map(fieldText)
  const fragments = [...groups].flatMap(([on, fields]) =>
    on === undefined ? [] : [`... on ${on} { ${fields.map(fieldText).join(' ')} }`],
  )
  return `{ ${[...own, ...fragments].join(' ')} }`
}

function fieldText({ name, alias, fields }: SelectedField): string {
  const head = alias === undefined ? name : `${alias}: ${name}`
  return fields === undefined ? head : `${head} ${selectionText(fields)}`
}

export const TYPENAME: Draft = {
  name: '__typename',
  type: { kind: 'nonNull', of: { kind: 'named', name: 'String' } },
  on: undefined,
  fields: undefined,
}

/** How many values one of these may bring, roughly. */
export function weightOf(type: TypeReference): number {
  return isList(type) ? LIST_WEIGHT : 1
}

const LIST_WEIGHT = 5
