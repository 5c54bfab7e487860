export type { Loss } from './analyze-schema.ts'
export {
  type ForeignSchemaCompiler,
  type ForeignSchemaOptions,
  type ForeignSchemasOptions,
  foreignSchemas,
} from './foreign-schemas.ts'
