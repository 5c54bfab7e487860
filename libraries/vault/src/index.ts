export {
  type Account,
  type AccountFetchDependencies,
  accountFetch,
  type SecuredSendOptions,
  securedSend,
} from './account-fetch.ts'
export type { SecuredRequest, SecurityOptions } from './apply-security.ts'
export type {
  AuthorizationResponse,
  GrantedConsent,
  StartedAuthorization,
} from './authorization.ts'
export {
  type CredentialReferences,
  defaultCredential,
  describeNeed,
} from './choose-credentials.ts'
export { CredentialForm } from './credential-form.ts'
export { CredentialRecord } from './credential-record.ts'
export {
  type CredentialsApi,
  type CredentialsApiOptions,
  createCredentialsApi,
  type ListedCredential,
} from './credentials-api.ts'
export type { CredentialedRequest } from './place-secret.ts'
export type { ResealResult } from './reseal.ts'
export type { Scrubber } from './scrubber.ts'
export type {
  SecretPlace,
  SecurityNeed,
  Send,
  SourceAnswer,
  SourceRequest,
} from './source-request.ts'
export type { VaultHttp, VaultRequest } from './token-endpoint.ts'
export { createVault, type Vault, type VaultOptions } from './vault.ts'
