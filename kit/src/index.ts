export type { Effect, EffectLog } from './emulator/effect-log.ts'
export type { FaultForm } from './emulator/fault.ts'
export type { EmulatorReply, EmulatorRequest, EmulatorRoute } from './emulator/route.ts'
export { type Emulator, type EmulatorOptions, FAULT_HEADER, startEmulator } from './emulator/start-emulator.ts'
export { type ExternalApiOptions, externalApiImplementation } from './external-api-implementation.ts'
export {
  type ForeignSchemaCompiler,
  type ForeignSchemaOptions,
  type ForeignSchemasOptions,
  foreignSchemas,
  type Loss,
} from './foreign-schemas.ts'
export { createIdentity, type Identity, type IdentityOptions, type SignedIn } from './identity/identity.ts'
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
export { JWT_ALGORITHMS, type JwtAlgorithm, type JwtCallers, type JwtOptions, jwtCallers } from './identity/jwt-callers.ts'
export type { PrincipalRecord, TenantRecord, TokenForm, TokenRecord } from './identity/records.ts'
export { createSessions, type Session, type SessionOptions, type Sessions } from './identity/sessions.ts'
export { otelTelemetry } from './otel.ts'
export { type ScriptOptions, scriptImplementation } from './script-implementation.ts'
export type { SecurityNeed, Send, SourceAnswer, SourceRequest } from './source/source-request.ts'
export { miniSearchIndex } from './text-index.ts'
