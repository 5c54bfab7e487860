export {
  createIdentity,
  type Identity,
  type IdentityOptions,
  type IssuedAccess,
  type SignedIn,
} from './identity.ts'
export {
  type CreatedToken,
  createIdentityApi,
  type IdentityApi,
  type IdentityApiOptions,
  type LinkForm,
  type ListedRecord,
  type ListedToken,
  systemCaller,
} from './identity-api.ts'
export {
  createJwtCallers,
  JWT_ALGORITHMS,
  type JwtAlgorithm,
  type JwtCallers,
  type JwtOptions,
} from './jwt-callers.ts'
export {
  type ClientGrant,
  clientGrantRecord,
  PrincipalRecord,
  TenantRecord,
  type TokenForm,
  type TokenRecord,
  tokenForm,
  tokenRecord,
} from './records.ts'
export {
  type OpenSession,
  type OpenSessions,
  publicSessionId,
  storedOpenSessions,
} from './open-sessions.ts'
export { newSecret } from './secret.ts'
export {
  createSessions,
  type Session,
  type SessionOptions,
  type Sessions,
} from './sessions.ts'
export { storedTokenUses, type TokenUses } from './use-notes.ts'
