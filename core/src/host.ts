// What surfaces, sources and hosts need: describing tools, making calls, and showing their answers.

// Describing tools to models and clients

export { requesterText, visibleText, withoutHiddenCommands } from './define/visible.ts'
export { findTraps, type Trap } from './host/find-traps.ts'
export {
  countTokens,
  type Dialect,
  definitionHash,
  describe,
  modelInput,
  modelInputSchema,
  tokenCost,
  toolLine,
  toolSummary,
  wantsKey,
} from './registry/describe.ts'
export { type Deprecation, wireName } from './registry/registry.ts'

// Calls, answers and errors

export {
  type OpenCallView,
  openCallView,
  type UnknownCall,
  type UnknownCallFilter,
} from './call/call-row.ts'
export { type EnvelopeError, type EnvelopeOptions, PROTOCOL_VERSION } from './call/envelope.ts'
export {
  ERRORS,
  type ErrorRow,
  errorRow,
  type RecoveryStrategy,
  type UserAction,
} from './call/errors.ts'
export { guardJson, parseJson } from './call/json.ts'
export type { Pace } from './call/json-in-turns/parse-in-pieces.ts'
export {
  guardInTurns,
  type ParsedInTurns,
  parseJsonInTurns,
} from './call/json-in-turns/parse-json-in-turns.ts'
export { decodeInTurns, type PartedText } from './call/json-in-turns/parted-text.ts'
export { type CallFacts, isOpen, OUTCOMES, type OutcomeName } from './call/outcome.ts'
export type { Progress } from './call/request.ts'
export { fromNetworkFailure, fromProviderStatus } from './call/tool-error.ts'
export {
  type Evidence as ResolutionEvidence,
  readUnknownCalls,
} from './ledger/resolve-unknown.ts'

// Hosts that call tools for a model and wait for people

export { awaitAnswer, awaitOrKnown } from './host/await-answer.ts'
export {
  type Callable,
  callForModel,
  HOST_WAIT_MS,
  type HostCallOptions,
  type HostedCall,
  type HostOptions,
  relayAnswer,
  relayVerdict,
  type ShownRequest,
} from './host/call-for-model.ts'
export { type KeepFile, type KeptFile, type MediaPart, mediaParts } from './host/media-parts.ts'
export { acceptedText, compensationLines, modelNotes, modelText } from './host/model-text.ts'
export {
  fetchResult,
  isErrorFor,
  isResultTool,
  LONGEST_WAIT_MS,
  RESULT_TOOL,
  resultTool,
  toolsForModel,
} from './host/result-tool.ts'
export {
  mapLink,
  REVIEW_KEYWORD,
  type ReviewForm,
  readReviewForm,
  reviewText,
  valueAtPath,
} from './host/review-form.ts'
export { failStrayCall } from './pipeline/stray-errors.ts'
export { assembleRuntime } from './runtime/runtime.ts'

// Approvals, questions and runs

export type { DecisionForm } from './approvals/approvals-api.ts'
export type { Credential } from './approvals/may-decide.ts'
export {
  type ApprovalView,
  approvalView,
  type FactChange,
  readShownFacts,
} from './call/approval.ts'
export { ANSWER_TOOL } from './runs/answer-tool.ts'
export { type QuestionView, questionView } from './runs/questions-api.ts'
export { toolReference } from './runs/step.ts'
export type { RunTree, StepNode, StepState } from './runs/tree.ts'

// Administration

export { type AdminApi, type Webhook, webhookForm } from './registry/admin-api.ts'
export { matches, type TenantPolicy } from './registry/policy.ts'
export { countUpTo } from './registry/registry-access.ts'

// Tools from documents and mounted servers

export {
  type ForeignCall,
  type ForeignContract,
  type ForeignSource,
  foreignPort,
  foreignTool,
} from './define/foreign-tool.ts'

// Packs

export type {
  PackApprovals,
  PackArtifact,
  PackAuditRecord,
  PackCommand,
  PackCommandContext,
  PackDemo,
  PackErasure,
  PackEvidence,
  PackFetch,
  PackGiven,
  PackMigration,
  PackNeeds,
  PackPrincipals,
  PackRequest,
  PackRoute,
  PackSchedule,
  PackServices,
  RunningDemo,
} from './define/pack.ts'
export { packManifest } from './define/pack-manifest.ts'
export type {
  PackView,
  ViewBlock,
  ViewCell,
  ViewContext,
  ViewModule,
} from './define/pack-view.ts'
