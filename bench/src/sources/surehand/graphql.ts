import { foreignPort } from '../../../../core/src/host.ts'
import { foreignSchemas } from '../../../../libraries/json-schema/src/foreign-schemas.ts'
import {
  type GraphqlOptions,
  graphqlTools,
  readGraphql,
} from '../../../../sources/graphql/src/index.ts'
import type { Work } from '../work.ts'

const OPTIONS: GraphqlOptions = {
  name: 'github',
  endpoint: 'https://api.github.com/graphql',
  allow: ['mutation.*'],
}

/** Reads either form of a schema, SDL or introspection; the reader detects which it is. */
export function surehandGraphql(): Work {
  return {
    takes: 'text',
    create(text) {
      const { operations } = readGraphql(text, OPTIONS)
      const tools = graphqlTools(operations, {
        port: foreignPort('github', { keysValidFor: '1d' }),
        schemas: foreignSchemas(),
      })
      return {
        tools: tools.length,
        schemaOf: ({ key }) =>
          tools[operations.findIndex((operation) => operation.source === key)]?.input.toJson(
            'input',
          ),
      }
    },
  }
}
