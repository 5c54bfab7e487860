import type { JsonSchema } from '@surehand/core/internal'
import { nullable } from '../input/nullable.ts'
import { scalarSchema } from '../input/scalar-schema.ts'
import { nameOf, type SchemaModel, type TypeReference } from '../schema/schema-model.ts'
import type { Draft } from './selection.ts'

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
