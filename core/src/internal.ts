export type { ApprovalKind } from './call/approval.ts'
export type { Condition, Grant } from './call/caller.ts'
export { canonicalJson } from './call/canonical.ts'
export { CanonicalText, type Hashed, NOTHING_HASHED } from './call/canonical-text.ts'
export { fieldName } from './call/field-name.ts'
export { hashJson, sha256, uuidOf } from './call/hash.ts'
export { isPlainObject, isRecord } from './call/plain-object.ts'
export type { AnsweredBy } from './call/question.ts'
export { scopedKey } from './call/scope.ts'
export {
  type EffectTrace,
  type ErrorRecoveryInfo,
  recoveryInfo,
  suggestionsOf,
  toToolError,
} from './call/tool-error.ts'
export type { Moment, RequiredCapability } from './define/contract.ts'
export { type Scope, scopeCovers } from './define/data-scope.ts'
export { toMs } from './define/duration.ts'
export { type JsonSchema, toJsonSchema } from './define/json-schema.ts'
export { keyFieldAmong } from './define/key-field.ts'
export { type NormalContract, normalContract } from './define/normal.ts'
export { once } from './define/once.ts'
export { digestOf, HIDDEN, redact } from './define/redact.ts'
export type {
  AskFunction,
  AskOptions,
  Branches,
  BranchOptions,
  EachForm,
  Keyless,
  StepFunction,
  StepOptions,
  Undo,
} from './define/run.ts'
export { type Parsed, type Problem, type Schema, zodSchema } from './define/schema.ts'
export type { Shape } from './define/shape.ts'
export { KNOWN_CAPABILITIES, STANDARD_CAPABILITIES } from './define/standard-capabilities.ts'
export { derivedSideEffects, type ToolKind } from './define/tool.ts'
export type { Row, SqlValue } from './define/transaction.ts'
export type { MemoryOptions } from './memory/memory-stores.ts'
export { type MissingPermission } from './permissions/explain-gaps.ts'
export {
  type CapabilityCondition,
  checkPermissions,
  type PermissionCheckResult,
} from './permissions/explain-permissions.ts'
export { holdsUnconditionally } from './permissions/grants.ts'
export { mayUse } from './permissions/may-use.ts'
export {
  INHERITS,
  type PermissionScheme,
  permissionScheme,
  type Role,
  type SecurityLevel,
} from './permissions/permission-scheme.ts'
export { auditEntryBy } from './ports/audit-entry-by.ts'
export { isEnabled, tighten } from './registry/policy.ts'
export type { RegistrationDates, Registry } from './registry/registry.ts'
export type { RegistryAccess } from './registry/registry-access.ts'
export { compareVersions } from './registry/versions.ts'
