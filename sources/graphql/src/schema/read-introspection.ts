import { isRecord } from '@surehand/core/internal'
import type { SourceAnswer } from '@surehand/vault'
import { readAnswer } from '../call/read-answer.ts'
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

/** Reads the answer to an introspection query, with or without the `data` around it. */
export function readIntrospection(document: unknown): SchemaModel {
  const schema = findSchema(document)
  const { types } = schema
  if (!Array.isArray(types)) throw refuseDocument('it lists no types')
  if (types.length > BOUNDS.types) throw refuseDocument(`it has more than ${BOUNDS.types} types`)
  const count = createTally(BOUNDS.members, 'fields, arguments and values')
  const definitions = types.flatMap((type: unknown) => readType(type, count) ?? [])
  return buildModel(definitions, {
    query: rootName(schema.queryType),
    mutation: rootName(schema.mutationType),
    subscription: rootName(schema.subscriptionType),
  })
}

function findSchema(document: unknown): Readonly<Record<string, unknown>> {
  const outer = isRecord(document) && isRecord(document.data) ? document.data : document
  const schema = isRecord(outer) ? outer.__schema : undefined
  if (!isRecord(schema)) throw refuseDocument('it has no __schema')
  return schema
}

function rootName(root: unknown): string | undefined {
  return isRecord(root) ? textOf(root.name) : undefined
}

function readType(type: unknown, count: Count): TypeDefinition | undefined {
  if (!isRecord(type)) return undefined
  const name = textOf(type.name)
  if (name === undefined) return undefined
  switch (type.kind) {
    case 'SCALAR':
      return { kind: 'scalar', name, specifiedBy: textOf(type.specifiedByURL) }
    case 'ENUM':
      return { kind: 'enum', name, values: readNames(type.enumValues, count) }
    case 'UNION':
      return { kind: 'union', name, members: readNames(type.possibleTypes, count) }
    case 'INPUT_OBJECT':
      return {
        kind: 'input',
        name,
        inputs: readInputs(type.inputFields, count),
        isOneOf: type.isOneOf === true,
      }
    case 'OBJECT':
      return {
        kind: 'object',
        name,
        fields: readFields(type.fields, count),
        interfaces: readNames(type.interfaces, count),
      }
    case 'INTERFACE':
      return {
        kind: 'interface',
        name,
        fields: readFields(type.fields, count),
        interfaces: readNames(type.interfaces, count),
      }
    default:
      return undefined
  }
}

function readFields(fields: unknown, count: Count): readonly Field[] {
  return readRecords(fields, count).flatMap((field) => {
    const type = readReference(field.type)
    if (type === undefined) return []
    return [{ ...readNamed(field), type, inputs: readInputs(field.args, count) }]
  })
}

function readInputs(inputs: unknown, count: Count): readonly InputValue[] {
  return readRecords(inputs, count).flatMap((input) => {
    const type = readReference(input.type)
    if (type === undefined) return []
    return [{ ...readNamed(input), type, defaultValue: readDefault(input.defaultValue) }]
  })
}

function readNamed(
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

function readDefault(text: unknown): InputValue['defaultValue'] {
  if (typeof text !== 'string') return undefined
  return readLiteral(text) ?? 'unreadable'
}

// A hostile document nests wrappers without end: a type with more wrappers than real schemas have
// is left out.
function readReference(type: unknown): TypeReference | undefined {
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

function readNames(list: unknown, count: Count): readonly string[] {
  return readRecords(list, count).flatMap((one) => textOf(one.name) ?? [])
}

function readRecords(list: unknown, count: Count): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(list)) return []
  count(list.length)
  return list.filter(isRecord)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const TYPE_DEPTH = 9

/** The introspection query for servers that follow the specification of October 2021 or later. */
export const INTROSPECTION_QUERY = introspectionQuery({
  inputArguments: '(includeDeprecated: true)',
  input: ' isDeprecated deprecationReason',
  type: ' specifiedByURL',
})

/**
 * The introspection query for older servers that refuse the first one: it uses nothing newer than
 * June 2018.
 */
export const PLAIN_INTROSPECTION_QUERY = introspectionQuery({
  inputArguments: '',
  input: '',
  type: '',
})

/**
 * Asks which input types are `@oneOf`. It is sent on its own, because a server that does not know
 * `isOneOf` refuses the whole query.
 */
export const ONE_OF_QUERY = '{ __schema { types { name isOneOf } } }'

type Newer = { readonly inputArguments: string; readonly input: string; readonly type: string }

function introspectionQuery({ inputArguments, input, type }: Newer): string {
  return [
    'query IntrospectionQuery { __schema { queryType { name } mutationType { name } subscriptionType { name } types { ...FullType } } }',
    `fragment FullType on __Type { kind name description${type}`,
    `fields(includeDeprecated: true) { name description args${inputArguments} { ...Value } type { ...Reference } isDeprecated deprecationReason }`,
    `inputFields${inputArguments} { ...Value } interfaces { name } enumValues(includeDeprecated: true) { name } possibleTypes { name } }`,
    `fragment Value on __InputValue { name description type { ...Reference } defaultValue${input} }`,
    `fragment Reference on __Type { ${reference(TYPE_DEPTH)} }`,
  ].join('\n')
}

function reference(depth: number): string {
  return depth === 0 ? 'kind name' : `kind name ofType { ${reference(depth - 1)} }`
}

/** The schema from a server's answer to one of these queries, for `readGraphql`. */
export function readIntrospectionAnswer(answer: SourceAnswer, oneOf?: SourceAnswer): unknown {
  const { data, problems } = readAnswer(answer, 'The server')
  const schema = isRecord(data) ? data.__schema : undefined
  if (!isRecord(schema))
    throw refuseDocument(
      `the server did not return it: ${problems[0]?.message ?? 'it has no __schema'}`,
    )
  const alternatives = oneOf === undefined ? new Set() : alternativesIn(oneOf)
  const types = Array.isArray(schema.types) ? schema.types : []
  return {
    __schema: {
      ...schema,
      types: types.map((type: unknown) =>
        isRecord(type) && alternatives.has(type.name) ? { ...type, isOneOf: true } : type,
      ),
    },
  }
}

// A server that does not know `isOneOf` has no such types.
function alternativesIn(answer: SourceAnswer): ReadonlySet<unknown> {
  const data = answer.status === 200 && !answer.isCut ? readAnswer(answer, 'The server').data : null
  const schema = isRecord(data) && isRecord(data.__schema) ? data.__schema : {}
  const types = Array.isArray(schema.types) ? schema.types.filter(isRecord) : []
  return new Set(types.filter((type) => type.isOneOf === true).map((type) => type.name))
}
