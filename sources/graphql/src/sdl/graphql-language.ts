import { createRequire } from 'node:module'

type GraphqlLanguage = typeof import('graphql/language')

let loaded: GraphqlLanguage | undefined

/**
 * The parser of graphql-js. It is loaded with the first schema that needs it: an app that starts
 * from prepared imports never reads GraphQL text and does not pay for the parser.
 */
export function graphqlLanguage(): GraphqlLanguage {
  loaded ??= createRequire(import.meta.url)('graphql/language') as GraphqlLanguage
  return loaded
}
