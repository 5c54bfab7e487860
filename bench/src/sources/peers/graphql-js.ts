import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
} from 'graphql'
import type { CreatedTools, Work } from '../work.ts'

/** Creates a schema and no tools: the least that a generator built on it would need. */
export function graphqlJsSdl(): Work {
  return {
    takes: 'text',
    create: (text) => countTools(buildSchema(text, { assumeValid: true, assumeValidSDL: true })),
  }
}

export function graphqlJsIntrospection(): Work {
  return {
    takes: 'text',
    create(text) {
      const introspection = JSON.parse(text)
      return countTools(
        buildClientSchema(introspection.data ?? introspection, { assumeValid: true }),
      )
    },
  }
}

function countTools(schema: GraphQLSchema): CreatedTools {
  const mutations = schema.getMutationType()?.getFields() ?? {}
  return {
    tools:
      Object.keys(mutations).length + Object.keys(schema.getQueryType()?.getFields() ?? {}).length,
    schemaOf: ({ operationId }) => {
      const field = mutations[operationId]
      if (field === undefined) return undefined
      const properties = field.args.map(({ name, type }) => {
        const inner = isNonNullType(type) ? type.ofType : type
        return [name, isInputObjectType(inner) ? { properties: inner.getFields() } : {}]
      })
      return { properties: Object.fromEntries(properties) }
    },
  }
}
