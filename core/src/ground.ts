// What a store stands on, without schemas and stages: its threads start often, and load no more than they need.
export { canonicalJson } from './call/canonical.ts'
export { hashJson, sha256 } from './call/hash.ts'
export { isToolError, ToolError } from './call/tool-error.ts'
export { isAbandoned } from './ports/abandoned.ts'
