import type { JsonSchema } from '@surehand/core/internal'
import { nullable } from '../input/nullable.ts'
import { scalarSchema } from '../input/scalar-schema.ts'
import { nameOf, type SchemaModel, type TypeReference, typeText } from '../schema/schema-model.ts'
import type { Draft, SelectedField, Selection } from './selection.ts'

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

/** The schema of what a selection returns. Nothing in it is required: a caller may select less. */
export function outputSchema(
  type: TypeReference,
  fields: readonly Draft[] | undefined,
  model: SchemaModel,
): JsonSchema {
  switch (type.kind) {
    case 'nonNull':
      return nonNullSchema(type.of, fields, model)
    case 'list':
    case 'named':
      return nullable(nonNullSchema(type, fields, model))
  }
}

function nonNullSchema(
  type: TypeReference,
  fields: readonly Draft[] | undefined,
  model: SchemaModel,
): JsonSchema {
  if (type.kind === 'list') return { type: 'array', items: outputSchema(type.of, fields, model) }
  if (fields !== undefined) return { type: 'object', properties: propertiesOf(fields, model) }
  const definition = model.types.get(nameOf(type))
  if (definition?.kind === 'enum') return { type: 'string' }
  const schema = definition?.kind === 'scalar' ? scalarSchema(definition) : undefined
  // Formats are left out: servers write dates in their own ways.
  return typeof schema?.type === 'string' ? { type: schema.type } : {}
}

function propertiesOf(fields: readonly Draft[], model: SchemaModel): JsonSchema {
  const properties = new Map<string, JsonSchema>()
  for (const draft of fields) {
    const schema = outputSchema(draft.type, draft.fields, model)
    const other = properties.get(draft.name)
    // Alternatives with different schemas: any value is accepted.
    const isOne = other === undefined || JSON.stringify(other) === JSON.stringify(schema)
    properties.set(draft.name, isOne ? schema : {})
  }
  return Object.fromEntries(properties)
}
