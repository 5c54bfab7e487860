export { type ApprovalView, approvalView } from './approvals/approval-view.ts'
export type { DecisionForm, Desk } from './approvals/desk.ts'
export { type Credential, DECIDE_CAPABILITY } from './approvals/may-decide.ts'
export { ANONYMOUS, type Caller, type Grant } from './call/caller.ts'
export { canonicalJson } from './call/canonical.ts'
export { CanonicalText, type Hashed, NOTHING_HASHED } from './call/canonical-text.ts'
export {
  type Envelope,
  type EnvelopeError,
  type EnvelopeMetadata,
  type EnvelopeOptions,
  PROTOCOL_VERSION,
  toEnvelope,
} from './call/envelope.ts'
export {
  ERRORS,
  type ErrorRow,
  errorRow,
  type RecoveryStrategy,
  type ToolErrorCode,
  type UserAction,
} from './call/errors.ts'
export { fieldName } from './call/field-name.ts'
export { hashJson, sha256, uuidOf } from './call/hash.ts'
export { parseJson } from './call/json.ts'
export { type OpenCallView, openCallView } from './call/open-call-view.ts'
export { type CallFacts, isOpen, type Outcome, type Source } from './call/outcome.ts'
export { fromNetworkFailure, fromProviderStatus } from './call/provider-error.ts'
export type { CallRequest, Progress } from './call/request.ts'
export { scoped } from './call/scope.ts'
export {
  type EffectTrace,
  type ErrorRecoveryInfo,
  isToolError,
  recoveryInfo,
  suggestionsOf,
  ToolError,
  toToolError,
} from './call/tool-error.ts'
export type { ApprovalKind } from './define/approval-kind.ts'
export type {
  ApprovalRule,
  Budget,
  CacheRule,
  Condition,
  Contract,
  Gate,
  Limit,
  Moment,
  Permissions,
  ReadContract,
  RequiredCapability,
  WriteContract,
} from './define/contract.ts'
export { type Scope, scopeCovers } from './define/data-scope.ts'
export { type Duration, toMs } from './define/duration.ts'
export {
  type ForeignCall,
  type ForeignContract,
  type ForeignSource,
  type ForeignToolForm,
  foreignPort,
  foreignTool,
} from './define/foreign-tool.ts'
export { type JsonSchema, toJsonSchema } from './define/json-schema.ts'
export type { NormalContract } from './define/normal.ts'
export { once } from './define/once.ts'
export {
  definePack,
  type Pack,
  type PackArtifact,
  type PackData,
  type PackFetch,
  type PackGiven,
  type PackManifest,
  type PackMigration,
  type PackNeeds,
  packManifest,
  type SecretNeed,
  type SettingNeed,
} from './define/pack.ts'
export {
  definePort,
  lookUp,
  type Port,
  type Recovery,
  sameKey,
  unrecoverable,
} from './define/port.ts'
export { digestOf, HIDDEN, redact } from './define/redact.ts'
export {
  type AnsweredBy,
  type AskFunction,
  type AskOptions,
  type Branches,
  type BranchOptions,
  type EachForm,
  type Keyless,
  type Run,
  type StepFunction,
  type StepOptions,
  type Undo,
  undoWith,
} from './define/run.ts'
export { type Parsed, type Problem, type Schema, zodSchema } from './define/schema.ts'
export { sensitive } from './define/sensitive.ts'
export type { Shape } from './define/shape.ts'
export {
  AriaRole,
  CartId,
  CheckoutToken,
  CouponCode,
  CssSelector,
  CurrencyCode,
  Email,
  Filter,
  IdempotencyKey,
  Iso8601Duration,
  IsoInterval,
  Locale,
  Money,
  PageCursor,
  PartySize,
  Path,
  Phone,
  ProductId,
  Quantity,
  Query,
  ResourceId,
  Rfc3339DateTime,
  SlotId,
  Sort,
  Url,
  VariantId,
} from './define/shapes.ts'
export {
  type Category,
  defineTool,
  type Example,
  type Execution,
  type Tool,
  type ToolForm,
  type ToolKind,
  transact,
} from './define/tool.ts'
export {
  defineTransaction,
  type Row,
  type SqlValue,
  type Transaction,
  type Tx,
} from './define/transaction.ts'
export { visibleText } from './define/visible.ts'
export { type AnswerKeeper, awaitAnswer, type Waiting } from './host/await-answer.ts'
export { awaitOr } from './host/await-or.ts'
export { type Callable, callForModel, type Patience } from './host/call-for-model.ts'
export {
  HOST_WAIT_MS,
  type HostedCall,
  type HostOptions,
  type SaidOfCall,
} from './host/host-options.ts'
export { modelNotes, modelText, takenBack } from './host/model-text.ts'
export { type Relaying, relayAnswer, relayVerdict, type Shown } from './host/relay.ts'
export { defineMigration, type Migration } from './migrate/define-migration.ts'
export type {
  CompatibilitySettings,
  DeprecationAction,
  DeprecationPhase,
  FieldMapping,
  MigrationStrategy,
  MigrationWarning,
  TransformationRule,
  V1ToolCallAdapter,
  V1ToolRequest,
  V1ToolResponse,
  V2ToolRequest,
} from './migrate/documents.ts'
export { type PhaseKind, phaseAt } from './migrate/phases.ts'
export { TRANSFORMATIONS } from './migrate/transformation.ts'
export { createV1Adapter, type V1Adapter, type V1AdapterOptions } from './migrate/v1-adapter.ts'
export {
  codeOf,
  fromV1Function,
  toV1Function,
  type V1Answer,
  type V1Function,
} from './migrate/v1-function.ts'
export type { KeptProgress } from './pipeline/kept-progress.ts'
export type { LatencyReport } from './pipeline/latencies.ts'
export type { Evidence as ResolutionEvidence } from './pipeline/resolve-unknown.ts'
export { isAbandoned } from './ports/abandoned.ts'
export type {
  AdminChange,
  AdminItem,
  AdminKind,
  AdminStore,
  Changed,
} from './ports/administration.ts'
export type {
  Approval,
  ApprovalState,
  ApprovalStore,
  Asked,
  Decided,
  Decision,
  EditedQuestion,
  NewApproval,
} from './ports/approvals.ts'
export type { AuditEntry, AuditFilter, AuditRecord, AuditStore } from './ports/audit.ts'
export type { Brought, BroughtProvider, BroughtTools } from './ports/brought-tools.ts'
export type { CacheStore } from './ports/cache.ts'
export type {
  CallRow,
  CallState,
  CallStore,
  Claim,
  ClaimRequest,
  EffectMark,
  Ending,
  Evidence,
  Fence,
  KeyScope,
  KeySource,
  LocalDone,
  LocalRun,
  NewCall,
  OpenCall,
  OpenCallFilter,
  StartedEffect,
  StoredAnswer,
} from './ports/calls.ts'
export { type Entropy, systemChance } from './ports/chance.ts'
export { type Clock, sleep, systemClock } from './ports/clock.ts'
export type { ForeignSchemas } from './ports/foreign-schema.ts'
export type { Job, JobStore } from './ports/jobs.ts'
export type { Bucket, LimitStore, Taken } from './ports/limits.ts'
export type { Maybe } from './ports/maybe.ts'
export type { Hearing, Notice, NoticeStore } from './ports/notices.ts'
export type {
  Answered,
  GivenAnswer,
  JournalAnswer,
  JournalEntry,
  NewQuestion,
  Parking,
  Question,
  QuestionFilter,
  QuestionState,
  RunStore,
  StoredUndo,
  Written,
} from './ports/runs.ts'
export type { Stores } from './ports/stores.ts'
export type { CallMeasure, CallSpan, StageMeasure, Telemetry } from './ports/telemetry.ts'
export type { IndexedText, TextIndex } from './ports/text-index.ts'
export type { ValueStore } from './ports/values.ts'
export {
  compositeFromData,
  type FromData,
  type ProgramParts,
} from './programs/composite-from-data.ts'
export {
  type Program,
  ProgramForm,
  type ProgramStep,
  programSchema,
} from './programs/program-form.ts'
export type { AdminDesk, AdminForm } from './registry/administer.ts'
export type { Changes, Schedule } from './registry/change.ts'
export { compareDefinitions, type DefinitionDifference } from './registry/compare-definitions.ts'
export {
  type Dates,
  Descriptor,
  type DescriptorContext,
  type ToolDescriptor,
  toDefinition,
} from './registry/definition.ts'
export {
  definitionHash,
  describe,
  modelInput,
  modelInputSchema,
  type PublishedDefinition,
  wantsKey,
} from './registry/describe.ts'
export type { Discovery } from './registry/discovery.ts'
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
export type { TenantPolicy } from './registry/policy.ts'
export { type Deprecation, wireName } from './registry/registry.ts'
export { countTokens, type Dialect, tokenCost } from './registry/tokens.ts'
export { type Webhook, webhookForm } from './registry/webhook.ts'
export { ANSWER_TOOL, answerTool } from './runs/answer-tool.ts'
export type { AnswerForm, QuestionDesk } from './runs/desk.ts'
export { type QuestionView, questionView } from './runs/question-view.ts'
export type { RunTree, StepNode, StepState } from './runs/tree.ts'
export { createRuntime, type Runtime, type RuntimeOptions, type TypedCall } from './runtime.ts'
