import type { JsonSchema } from '@surehand/core/internal'
import { nullable } from '../input/nullable.ts'
import { scalarSchema } from '../input/scalar-schema.ts'
import { nameOf, type SchemaModel, type TypeReference, typeText } from '../schema/schema-model.ts'
import type { Draft, SelectedField, Selection } from './selection.ts'

const NONE: ReadonlySet<string> = new Set()

/** A chosen tree as it is sent: fields of different types that would share a place in the answer get places of their own. */
export function finishSelection(drafts: readonly Draft[]): Selection {
  const contested = contestedNames(drafts)
  const taken =
    contested.size === 0
      ? undefined
      : new Set(drafts.flatMap(({ name }) => (contested.has(name) ? [] : [name])))
  return drafts.map((draft): SelectedField => {
    const { name, on, fields } = draft
    const alias =
      on !== undefined && taken !== undefined && contested.has(name)
        ? freeName(`${on}__${name}`, taken)
        : undefined
    return {
      name,
      ...(alias === undefined ? {} : { alias }),
      ...(on === undefined ? {} : { on }),
      ...(fields === undefined ? {} : { fields: finishSelection(fields) }),
    }
  })
}

// two leaves of one type can share a place; anything else in two fragments can't
function contestedNames(drafts: readonly Draft[]): ReadonlySet<string> {
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

/** What a chosen tree brings, as a schema. Nothing in it is demanded: a caller may ask for less, and servers add values. */
export function outputSchema(
  type: TypeReference,
  fields: readonly Draft[] | undefined,
  model: SchemaModel,
): JsonSchema {
  switch (type.kind) {
    case 'nonNull':
      return bare(type.of, fields, model)
    case 'list':
    case 'named':
      return nullable(bare(type, fields, model))
  }
}

function bare(
  type: TypeReference,
  fields: readonly Draft[] | undefined,
  model: SchemaModel,
): JsonSchema {
  if (type.kind === 'list') return { type: 'array', items: outputSchema(type.of, fields, model) }
  if (fields !== undefined) return { type: 'object', properties: propertiesOf(fields, model) }
  const definition = model.types.get(nameOf(type))
  if (definition?.kind === 'enum') return { type: 'string' }
  const schema = definition?.kind === 'scalar' ? scalarSchema(definition) : undefined
  // how a server writes its dates is its own affair
  return typeof schema?.type === 'string' ? { type: schema.type } : {}
}

function propertiesOf(fields: readonly Draft[], model: SchemaModel): JsonSchema {
  const properties = new Map<string, JsonSchema>()
  for (const draft of fields) {
    const schema = outputSchema(draft.type, draft.fields, model)
    const other = properties.get(draft.name)
    // of alternatives that are not alike nothing can be said
    const isOne = other === undefined || JSON.stringify(other) === JSON.stringify(schema)
    properties.set(draft.name, isOne ? schema : {})
  }
  return Object.fromEntries(properties)
}
