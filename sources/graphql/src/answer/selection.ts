import { isList, type TypeReference } from '../schema/schema-model.ts'

/** The selected fields of an object, interface or union. */
export type Selection = readonly SelectedField[]

export type SelectedField = {
  /** Its name in the tool's answer. */
  readonly name: string
  /** Its name in the server's answer, where fields of two types would collide. */
  readonly alias?: string
  /** The type of the fragment that it belongs to. */
  readonly on?: string
  readonly fields?: Selection
}

/** A field of a selection that is still being built. */
export type Draft = {
  readonly name: string
  readonly type: TypeReference
  readonly on: string | undefined
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

/** About how many values a field of this type returns. */
export function weightOf(type: TypeReference): number {
  return isList(type) ? LIST_WEIGHT : 1
}

const LIST_WEIGHT = 5
