export { type ImportsApiOptions, updateDocument } from './change-imports.ts'
export type { ImportLimits } from './import-limits.ts'
export type { ImportView, QuarantinedTool } from './import-view.ts'
export { createImports, type ImportOptions, type Imports } from './imports.ts'
export { createImportsApi, type ImportForm, type ImportsApi } from './imports-api.ts'
export { diskCache, type PreparedCache } from './prepared-cache.ts'
export {
  createRefusedRequests,
  type RefusedRequest,
  type RefusedRequests,
} from './refused-requests.ts'
export type {
  Fetching,
  ImportNeed,
  ImportReport,
  OpenedSource,
  Opening,
  Preparation,
  SourceKind,
} from './source-kind.ts'
export { type WatchOptions, watchImports } from './watch-imports.ts'
