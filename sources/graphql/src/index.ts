export { type GraphqlSettings, graphqlSource } from './graphql-source.ts'
export { catalogueTokens, type GraphqlToolParts, graphqlTools } from './graphql-tools.ts'
export { documentOf } from './operation/document.ts'
export type { GraphqlOperation, Terms } from './operation/operation.ts'
export type { Overlay, OverlayEntry } from './operation/overlay.ts'
export {
  cacheKey,
  fromCache,
  GENERATOR_VERSION,
  type GraphqlImport,
  type GraphqlOptions,
  type ImportReport,
  readGraphql,
  toCache,
} from './read-graphql.ts'
export {
  INTROSPECTION_QUERY,
  ONE_OF_QUERY,
  PLAIN_INTROSPECTION_QUERY,
  readIntrospectionAnswer,
} from './schema/read-introspection.ts'
