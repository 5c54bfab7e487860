import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
} from 'graphql'
import type { Made, Work } from '../work.ts'

/** A schema to ask, and no tools: the least a generator on top of it would take. */
export function graphqlJsSdl(): Work {
  return {
    takes: 'text',
    make: (text) => madeOf(buildSchema(text, { assumeValid: true, assumeValidSDL: true })),
  }
}

export function graphqlJsIntrospection(): Work {
  return {
    takes: 'text',
    make(text) {
      const told = JSON.parse(text)
      return madeOf(buildClientSchema(told.data ?? told, { assumeValid: true }))
    },
  }
}

function madeOf(schema: GraphQLSchema): Made {
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
