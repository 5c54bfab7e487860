import { isRecord } from '@surehand/core/internal'
import type { SourceAnswer } from '@surehand/vault'
import { readAnswer } from './call/read-answer.ts'
import { refuseDocument } from './schema/bounds.ts'

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
