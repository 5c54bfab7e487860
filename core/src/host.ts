export { type ApprovalView, approvalView } from './approvals/approval-view.ts'
export type { DecisionForm, ApprovalsApi } from './approvals/desk.ts'
export { type Credential, DECIDE_CAPABILITY } from './approvals/may-decide.ts'
export {
  type EnvelopeError,
  type EnvelopeMetadata,
  type EnvelopeOptions,
  PROTOCOL_VERSION,
} from './call/envelope.ts'
export {
  ERRORS,
  type ErrorRow,
  errorRow,
  type RecoveryStrategy,
  type UserAction,
} from './call/errors.ts'
export { guardJson, parseJson } from './call/json.ts'
export { type OpenCallView, openCallView } from './call/open-call-view.ts'
export { type CallFacts, isOpen, type Source } from './call/outcome.ts'
export { fromNetworkFailure, fromProviderStatus } from './call/provider-error.ts'
export type { Progress } from './call/request.ts'
export {
  type ForeignCall,
  type ForeignContract,
  type ForeignSource,
  type ForeignToolForm,
  foreignPort,
  foreignTool,
} from './define/foreign-tool.ts'
export {
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
export type { KeptProgress } from './pipeline/kept-progress.ts'
export type { LatencyReport } from './pipeline/latencies.ts'
export type { Evidence as ResolutionEvidence } from './pipeline/resolve-unknown.ts'
export type { AdminApi, AdminForm } from './registry/administer.ts'
export type { Changes, Schedule } from './registry/change.ts'
export {
  definitionHash,
  describe,
  modelInput,
  modelInputSchema,
  type PublishedDefinition,
  wantsKey,
} from './registry/describe.ts'
export type { Discovery } from './registry/discovery.ts'
export { matches, type TenantPolicy } from './registry/policy.ts'
export { type Deprecation, wireName } from './registry/registry.ts'
export { countTokens, type Dialect, tokenCost } from './registry/tokens.ts'
export { type Webhook, webhookForm } from './registry/webhook.ts'
export { ANSWER_TOOL, answerTool } from './runs/answer-tool.ts'
export type { AnswerForm, QuestionsApi } from './runs/desk.ts'
export { type QuestionView, questionView } from './runs/question-view.ts'
export { nameOf } from './runs/step.ts'
export type { RunTree, StepNode, StepState } from './runs/tree.ts'
export type { TypedCall } from './runtime/runtime.ts'
