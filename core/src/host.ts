export { type ApprovalView, approvalView } from './approvals/approval-view.ts'
export type { ApprovalsApi, DecisionForm } from './approvals/approvals-api.ts'
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
export {
  type AnswerSource,
  type AwaitOptions,
  awaitAnswer,
  awaitOrKnown,
} from './host/await-answer.ts'
export { type Callable, callForModel, type WaitOptions } from './host/call-for-model.ts'
export {
  HOST_WAIT_MS,
  type HostCallOptions,
  type HostedCall,
  type HostOptions,
} from './host/host-options.ts'
export { compensationLines, modelNotes, modelText } from './host/model-text.ts'
export { type RelayedBy, relayAnswer, relayVerdict, type ShownRequest } from './host/relay.ts'
export type { StoredProgress } from './ledger/progress.ts'
export type { Evidence as ResolutionEvidence } from './ledger/resolve-unknown.ts'
export type { LatencyReport } from './pipeline/latencies.ts'
export type { AdminApi, AdminForm } from './registry/administer.ts'
export {
  definitionHash,
  describe,
  modelInput,
  modelInputSchema,
  type PublishedDefinition,
  wantsKey,
} from './registry/describe.ts'
export { matches, type TenantPolicy } from './registry/policy.ts'
export { type Deprecation, wireName } from './registry/registry.ts'
export { countTokens, type Dialect, tokenCost } from './registry/tokens.ts'
export type { FoundTool } from './registry/tool-search.ts'
export { type Webhook, webhookForm } from './registry/webhook.ts'
export { ANSWER_TOOL, answerTool } from './runs/answer-tool.ts'
export { type QuestionView, questionView } from './runs/question-view.ts'
export type { AnswerForm, QuestionsApi } from './runs/questions-api.ts'
export { toolReference } from './runs/step.ts'
export type { RunTree, StepNode, StepState } from './runs/tree.ts'
export type { CallerRuntime, CallOptions, TypedCall } from './runtime/runtime.ts'
