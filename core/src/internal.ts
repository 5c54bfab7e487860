export type { Grant } from './call/caller.ts'
export { canonicalJson } from './call/canonical.ts'
export { CanonicalText, type Hashed, NOTHING_HASHED } from './call/canonical-text.ts'
export { fieldName } from './call/field-name.ts'
export { hashJson, sha256, uuidOf } from './call/hash.ts'
export { isPlainObject } from './call/plain-object.ts'
export { scoped } from './call/scope.ts'
export {
  type EffectTrace,
  type ErrorRecoveryInfo,
  recoveryInfo,
  suggestionsOf,
  toToolError,
} from './call/tool-error.ts'
export type { ApprovalKind } from './define/approval-kind.ts'
export type { Condition, Moment, RequiredCapability } from './define/contract.ts'
export { type Scope, scopeCovers } from './define/data-scope.ts'
export { toMs } from './define/duration.ts'
export { type JsonSchema, toJsonSchema } from './define/json-schema.ts'
export { keyFieldAmong } from './define/key-field.ts'
export { type NormalContract, normalContract } from './define/normal.ts'
export { once } from './define/once.ts'
export { digestOf, HIDDEN, redact } from './define/redact.ts'
export type {
  AnsweredBy,
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
export { type Category, derivedSideEffects, type ToolKind } from './define/tool.ts'
export type { Row, SqlValue } from './define/transaction.ts'
export type { MemoryOptions } from './memory/memory-stores.ts'
export { compareDefinitions, type DefinitionDifference } from './registry/compare-definitions.ts'
export {
  type Dates,
  Descriptor,
  type DescriptorContext,
  type ToolDescriptor,
  toDefinition,
} from './registry/definition.ts'
export type {
  AccessMode,
  Capability,
  CapabilityCondition,
  CapabilityDefinition,
  DeprecationResult,
  FunctionSignature,
  InputExample,
  MissingPermission,
  OutputExample,
  PermissionCheckResult,
  PermissionSchemeDefinition,
  RegistrationResult,
  ResourceAccess,
  ResourceType,
  Role,
  RoleDefinition,
  SearchOptions,
  SecurityLevel,
  SessionInfo,
  SideEffect,
  ToolCategoryInfo,
  ToolDefinition,
  ToolImplementation,
  ToolPermissions,
  ToolRegistryDocument,
  ToolSearchResult,
  UpdateResult,
  UserContext,
  ValidationRules,
} from './registry/documents.ts'
export { type DefinitionParts, toolFromDefinition } from './registry/from-definition.ts'
export {
  type Implementation,
  type ImplementationParts,
  type Implementations,
  implementations,
} from './registry/implementations.ts'
