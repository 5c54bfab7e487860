export {
  type ImportDesk,
  type ImportDeskOptions,
  type ImportForm,
  importDesk,
} from './import-desk.ts'
export type { ImportLimits } from './import-limits.ts'
export type { HeldTool, ImportView } from './import-view.ts'
export { createImports, type ImportOptions, type Imports } from './imports.ts'
export { diskCache, type PreparedCache } from './prepared-cache.ts'
export type {
  Fetching,
  ImportReport,
  OpenedSource,
  Opening,
  Preparation,
  SourceKind,
} from './source-kind.ts'
export { type WatchOptions, watchImports } from './watch-imports.ts'
