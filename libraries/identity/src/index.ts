export { createIdentity, type Identity, type IdentityOptions, type SignedIn } from './identity.ts'
export {
  houseCaller,
  type IdentityDesk,
  type IdentityDeskOptions,
  identityDesk,
  type LinkForm,
  type Listed,
  type ListedToken,
  type MadeToken,
} from './identity-desk.ts'
export {
  JWT_ALGORITHMS,
  type JwtAlgorithm,
  type JwtCallers,
  type JwtOptions,
  jwtCallers,
} from './jwt-callers.ts'
export { PrincipalRecord, TenantRecord, type TokenForm, type TokenRecord } from './records.ts'
export { newSecret } from './secret.ts'
export { createSessions, type Session, type SessionOptions, type Sessions } from './sessions.ts'
