export { isYaml } from './document/document.ts'
export type { OpenApiSettings } from './open-api-tools.ts'
export { openApiSource, openApiTools, type ToolParts } from './open-api-tools.ts'
export type { SidecarEntry } from './operation/contract-plan.ts'
export type {
  BodyPlan,
  ContractPlan,
  Operation,
  OperationPlan,
  ParameterPlan,
  ServerPlan,
} from './operation/operation.ts'
export type { Allow } from './operation/select.ts'
export { planOrUndefined } from './operation/usable-plan.ts'
export { ASKED_PHRASES } from './phrases/asked-phrases.ts'
export { type OpenApiOptions, type OpenApiRead, readOpenApi } from './read-open-api.ts'
export { catalogueTokens, type ImportReport, operationTokens } from './report.ts'
export { CACHE_FORMAT, cacheKey, fromCache, GENERATOR_VERSION, toCache } from './source-cache.ts'
