// What the packages of this repository share with core. It may change in any release: applications
// do not import it.

// JSON, hashes and objects

export {
  CanonicalText,
  canonicalJson,
  hashJson,
  isPlainObject,
  isRecord,
  NOTHING_HASHED,
  sha256,
  uuidOf,
} from './call/canonical.ts'
export { fieldName } from './call/field-name.ts'
export { canonicalInTurns } from './call/json-in-turns/canonical-in-turns.ts'
export { scopedKey } from './call/scope.ts'
export { toMs } from './define/duration.ts'
export { once } from './define/once.ts'

// Callers, errors and permissions

export type { ApprovalKind } from './call/approval.ts'
export type { Grant } from './call/caller.ts'
export type { AnsweredBy } from './call/question.ts'
export {
  type EffectTrace,
  type ErrorRecoveryInfo,
  recoveryInfo,
  toToolError,
} from './call/tool-error.ts'
export { type Scope, scopeCovers } from './define/data-scope.ts'
export { KNOWN_CAPABILITIES, STANDARD_CAPABILITIES } from './define/standard-capabilities.ts'
export { mayUse } from './permissions/access.ts'
export { isAdministrator, isNarrowed } from './permissions/credential.ts'
export {
  type CapabilityCondition,
  checkPermissions,
  type PermissionCheckResult,
} from './permissions/explain-permissions.ts'
export { holdsUnconditionally, isDelegated } from './permissions/grants.ts'
export {
  INHERITS,
  type PermissionScheme,
  permissionScheme,
  type Role,
  type SecurityLevel,
} from './permissions/permission-scheme.ts'

// Tools, schemas and contracts

export { keyFieldAmong } from './define/key-field.ts'
export { type JsonSchema, toJsonSchema } from './define/json-schema.ts'
export { type NormalContract, normalContract } from './define/normal.ts'
export { digestOf, HIDDEN, redact } from './define/redact.ts'
export type { Keyless } from './define/run.ts'
export { type Parsed, type Problem, type Schema, zodSchema } from './define/schema.ts'
export type { Shape } from './define/shape.ts'
export { derivedSideEffects } from './define/tool.ts'
export type { Row, SqlValue } from './define/transaction.ts'

// The registry

export { auditEntryBy } from './ports/audit-entry-by.ts'
export { policyForm } from './registry/administration.ts'
export { isEnabled, tighten } from './registry/policy.ts'
export type { Registration, Registry } from './registry/registry.ts'
export type { RegistryAccess } from './registry/registry-access.ts'
export { compareVersions } from './registry/tool-names.ts'
export {
  type ChangedRights,
  createWhatIf,
  type JudgedCall,
  type ProposedChange,
  type WhatIfVerdict,
} from './registry/what-if.ts'
