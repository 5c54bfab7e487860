export { type Account, type AccountFetchParts, accountFetch } from './credentials/account-fetch.ts'
export type { Secured, SecurityOptions } from './credentials/apply-security.ts'
export type { Begun, CameBack, Consented } from './credentials/authorization.ts'
export type { CredentialReferences } from './credentials/choose-credentials.ts'
export {
  type CredentialDesk,
  type CredentialDeskOptions,
  credentialDesk,
  type ListedCredential,
} from './credentials/credential-desk.ts'
export type { CredentialForm } from './credentials/credential-form.ts'
export type { CredentialRecord } from './credentials/credential-record.ts'
export type { Credentialed } from './credentials/place-secret.ts'
export type { Resealed } from './credentials/reseal.ts'
export type { Scrubber } from './credentials/scrubber.ts'
export { type SecuredSendOptions, securedSend } from './credentials/secured-send.ts'
export type { VaultHttp, VaultRequest } from './credentials/token-endpoint.ts'
export { createVault, type Vault, type VaultOptions } from './credentials/vault.ts'
export {
  createEdgeLimit,
  type EdgeLimit,
  type EdgeOptions,
  type EdgeState,
} from './edge/edge-limit.ts'
export type { Comer } from './edge/remote-address.ts'
export { createStrangers, FEW_GUESSES, type Strangers } from './edge/strangers.ts'
export type { EgressAnswer, EgressStream } from './egress/answer.ts'
export type { Dial } from './egress/dial.ts'
export { createEgress, type Egress, type EgressOptions } from './egress/egress.ts'
export { Exchange } from './egress/exchange.ts'
export { keepInFile, readExchanges } from './egress/exchange-file.ts'
export { type FetchThroughOptions, fetchThrough } from './egress/fetch-through.ts'
export type { EgressLimits } from './egress/limits.ts'
export type { AllowedHost, EgressPolicy } from './egress/policy.ts'
export { recordingEgress } from './egress/recording-egress.ts'
export { replayingEgress } from './egress/replaying-egress.ts'
export type { EgressRequest } from './egress/request.ts'
export type { Resolve } from './egress/resolve.ts'
export type { Effect, EffectLog } from './emulator/effect-log.ts'
export type { FaultForm } from './emulator/fault.ts'
export {
  type Conversation,
  lastResults,
  type MadeCall,
  type Mind,
  type OfferedTool,
  type Thought,
  type ToolResult,
  type Turn,
  type Vendor,
  type WantedCall,
} from './emulator/models/conversation.ts'
export { type SchemaRules, schemaFaults } from './emulator/models/schema-rules.ts'
export {
  type ModelEmulator,
  type ModelEmulatorOptions,
  startModelEmulator,
} from './emulator/models/start-model-emulator.ts'
export type { EmulatorReply, EmulatorRequest, EmulatorRoute } from './emulator/route.ts'
export {
  type Emulator,
  type EmulatorOptions,
  FAULT_HEADER,
  startEmulator,
} from './emulator/start-emulator.ts'
export {
  type ExternalApiOptions,
  externalApiImplementation,
} from './external-api-implementation.ts'
export {
  type ForeignSchemaCompiler,
  type ForeignSchemaOptions,
  type ForeignSchemasOptions,
  foreignSchemas,
  type Loss,
} from './foreign-schemas.ts'
export {
  createIdentity,
  type Identity,
  type IdentityOptions,
  type SignedIn,
} from './identity/identity.ts'
export {
  houseCaller,
  type IdentityDesk,
  type IdentityDeskOptions,
  identityDesk,
  type LinkForm,
  type Listed,
  type ListedToken,
  type MadeToken,
} from './identity/identity-desk.ts'
export {
  JWT_ALGORITHMS,
  type JwtAlgorithm,
  type JwtCallers,
  type JwtOptions,
  jwtCallers,
} from './identity/jwt-callers.ts'
export type { PrincipalRecord, TenantRecord, TokenForm, TokenRecord } from './identity/records.ts'
export {
  createSessions,
  type Session,
  type SessionOptions,
  type Sessions,
} from './identity/sessions.ts'
export {
  type ImportDesk,
  type ImportDeskOptions,
  type ImportForm,
  importDesk,
} from './imports/import-desk.ts'
export type { ImportLimits } from './imports/import-limits.ts'
export type { HeldTool, ImportView } from './imports/import-view.ts'
export { createImports, type ImportOptions, type Imports } from './imports/imports.ts'
export { diskCache, type PreparedCache } from './imports/prepared-cache.ts'
export type {
  Fetching,
  ImportReport,
  OpenedSource,
  Opening,
  Preparation,
  SourceKind,
} from './imports/source-kind.ts'
export { type WatchOptions, watchImports } from './imports/watch-imports.ts'
export { otelTelemetry } from './otel.ts'
export { type ScriptOptions, scriptImplementation } from './script-implementation.ts'
export type { SecurityNeed, Send, SourceAnswer, SourceRequest } from './source/source-request.ts'
export { type OpenedWay, openStraightWay } from './straight/open-straight-way.ts'
export type {
  StraightAnswer,
  StraightHead,
  StraightRequest,
  StraightWay,
} from './straight/straight-way.ts'
export { miniSearchIndex } from './text-index.ts'
