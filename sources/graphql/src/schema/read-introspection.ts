import { isRecord } from '@surehand/core/internal'
import { readLiteral } from '../sdl/read-literal.ts'
import { BOUNDS, createTally, refuseDocument } from './bounds.ts'
import { buildModel } from './build-model.ts'
import type {
  Field,
  InputValue,
  SchemaModel,
  TypeDefinition,
  TypeReference,
} from './schema-model.ts'

type Count = (count: number) => void

/** The answer to an introspection query, with or without its `data` around it, as a model. */
export function readIntrospection(document: unknown): SchemaModel {
  const schema = schemaOf(document)
  const { types } = schema
  if (!Array.isArray(types)) throw refuseDocument('it lists no types')
  if (types.length > BOUNDS.types) throw refuseDocument(`it has more than ${BOUNDS.types} types`)
  const count = createTally(BOUNDS.members, 'fields, arguments and values')
  const definitions = types.flatMap((type: unknown) => typeOf(type, count) ?? [])
  return buildModel(definitions, {
    query: rootName(schema.queryType),
    mutation: rootName(schema.mutationType),
    subscription: rootName(schema.subscriptionType),
  })
}

function schemaOf(document: unknown): Readonly<Record<string, unknown>> {
  const outer = isRecord(document) && isRecord(document.data) ? document.data : document
  const schema = isRecord(outer) ? outer.__schema : undefined
  if (!isRecord(schema)) throw refuseDocument('it has no __schema')
  return schema
}

function rootName(root: unknown): string | undefined {
  return isRecord(root) ? textOf(root.name) : undefined
}

function typeOf(type: unknown, count: Count): TypeDefinition | undefined {
  if (!isRecord(type)) return undefined
  const name = textOf(type.name)
  if (name === undefined) return undefined
  switch (type.kind) {
    case 'SCALAR':
      return { kind: 'scalar', name, specifiedBy: textOf(type.specifiedByURL) }
    case 'ENUM':
      return { kind: 'enum', name, values: namesOf(type.enumValues, count) }
    case 'UNION':
      return { kind: 'union', name, members: namesOf(type.possibleTypes, count) }
    case 'INPUT_OBJECT':
      return {
        kind: 'input',
        name,
        inputs: inputsOf(type.inputFields, count),
        isOneOf: type.isOneOf === true,
      }
    case 'OBJECT':
      return {
        kind: 'object',
        name,
        fields: fieldsOf(type.fields, count),
        interfaces: namesOf(type.interfaces, count),
      }
    case 'INTERFACE':
      return {
        kind: 'interface',
        name,
        fields: fieldsOf(type.fields, count),
        interfaces: namesOf(type.interfaces, count),
      }
    default:
      return undefined
  }
}

function fieldsOf(fields: unknown, count: Count): readonly Field[] {
  return recordsOf(fields, count).flatMap((field) => {
    const type = referenceOf(field.type)
    if (type === undefined) return []
    return [{ ...namedOf(field), type, inputs: inputsOf(field.args, count) }]
  })
}

function inputsOf(inputs: unknown, count: Count): readonly InputValue[] {
  return recordsOf(inputs, count).flatMap((input) => {
    const type = referenceOf(input.type)
    if (type === undefined) return []
    return [{ ...namedOf(input), type, defaultValue: defaultOf(input.defaultValue) }]
  })
}

function namedOf(
  member: Readonly<Record<string, unknown>>,
): Pick<Field, 'name' | 'description' | 'deprecated'> {
  return {
    name: textOf(member.name) ?? '',
    description: textOf(member.description),
    deprecated:
      member.isDeprecated === true
        ? (textOf(member.deprecationReason) ?? 'No longer supported')
        : undefined,
  }
}

function defaultOf(text: unknown): InputValue['defaultValue'] {
  if (typeof text !== 'string') return undefined
  return readLiteral(text) ?? 'unreadable'
}

// a chain without end is no type: what has more wrappers than anybody writes has none
function referenceOf(type: unknown): TypeReference | undefined {
  const wrappers: ('list' | 'nonNull')[] = []
  let current = type
  while (isRecord(current) && (current.kind === 'LIST' || current.kind === 'NON_NULL')) {
    const wrapper = current.kind === 'LIST' ? 'list' : 'nonNull'
    if (
      wrappers.length === BOUNDS.wrappers ||
      (wrapper === 'nonNull' && wrappers.at(-1) === 'nonNull')
    )
      return undefined
    wrappers.push(wrapper)
    current = current.ofType
  }
  const name = isRecord(current) ? textOf(current.name) : undefined
  if (name === undefined) return undefined
  return wrappers.reduceRight<TypeReference>((of, kind) => ({ kind, of }), { kind: 'named', name })
}

function namesOf(list: unknown, count: Count): readonly string[] {
  return recordsOf(list, count).flatMap((one) => textOf(one.name) ?? [])
}

function recordsOf(list: unknown, count: Count): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(list)) return []
  count(list.length)
  return list.filter(isRecord)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
