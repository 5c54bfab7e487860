export {
  type ExternalApiOptions,
  externalApiImplementation,
} from './external-api-implementation.ts'
export { type ScriptOptions, scriptImplementation } from './script-implementation.ts'
