export {
  type ForeignSchemaCompiler,
  type ForeignSchemaOptions,
  type ForeignSchemasOptions,
  foreignSchemas,
} from './foreign-schemas.ts'
export type { Loss } from './survey.ts'
