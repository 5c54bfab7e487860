export { type Account, type AccountFetchParts, accountFetch } from './account-fetch.ts'
export type { Secured, SecurityOptions } from './apply-security.ts'
export type { Begun, CameBack, Consented } from './authorization.ts'
export type { CredentialReferences } from './choose-credentials.ts'
export {
  type CredentialDesk,
  type CredentialDeskOptions,
  credentialDesk,
  type ListedCredential,
} from './credential-desk.ts'
export { CredentialForm } from './credential-form.ts'
export { CredentialRecord } from './credential-record.ts'
export type { Credentialed } from './place-secret.ts'
export type { Resealed } from './reseal.ts'
export type { Scrubber } from './scrubber.ts'
export { type SecuredSendOptions, securedSend } from './secured-send.ts'
export type { SecurityNeed, Send, SourceAnswer, SourceRequest } from './source-request.ts'
export type { VaultHttp, VaultRequest } from './token-endpoint.ts'
export { createVault, type Vault, type VaultOptions } from './vault.ts'
