import type { Caller } from '@surehand/core'
import type { ForeignCall } from '@surehand/core/host'
import type { AdminStore, Clock, Entropy } from '@surehand/core/ports'
import { applySecurity, type SecuredRequest, type SecurityOptions } from './apply-security.ts'
import {
  type AuthorizationResponse,
  beginAuthorization,
  finishAuthorization,
  type GrantedConsent,
  type StartedAuthorization,
  withdrawConsent,
} from './authorization.ts'
import type { ParsedCredential } from './credential-form.ts'
import {
  CredentialRecord,
  environmentOf,
  type SplitCredential,
  secretsToScrub,
  splitCredential,
} from './credential-record.ts'
import { deriveKey } from './derive-key.ts'
import { createEnvelopes } from './envelope.ts'
import { type ResealResult, reseal } from './reseal.ts'
import { createScrubber, type Scrubber } from './scrubber.ts'
import type { Secret } from './secret.ts'
import type { SourceRequest } from './source-request.ts'
import { createStateSigner } from './state-signer.ts'
import type { VaultHttp } from './token-endpoint.ts'
import { createTokens } from './tokens.ts'
import { createUsedSecrets } from './used-secrets.ts'
import { environmentMissing, withoutEffect } from './vault-errors.ts'
import { createVaultItems, itemKey, type VaultItems } from './vault-items.ts'

export type VaultOptions = {
  readonly store: AdminStore
  /** 32 bytes each, used for nothing else. The first encrypts, all decrypt. */
  readonly keys: readonly [Uint8Array, ...Uint8Array[]]
  readonly clock: Clock
  readonly entropy: Entropy
  /** Sends requests to token endpoints, through egress. */
  readonly http: VaultHttp
  /** The page where a person consents, if there is one. */
  readonly consentLink?: (tenant: string, credential: string) => string | undefined
}

/**
 * The credentials of all tenants: encrypted in the store, placed into requests, and removed from
 * responses.
 */
export type Vault = {
  /**
   * Adds the credentials of the first alternative that can be satisfied. Throws before anything is
   * sent where none can.
   */
  readonly applySecurity: (
    request: SourceRequest,
    call: ForeignCall,
    options: SecurityOptions,
  ) => Promise<SecuredRequest>
  readonly beginAuthorization: (
    by: Caller,
    credential: string,
    options: { readonly redirectUri: string },
  ) => Promise<StartedAuthorization>
  readonly finishAuthorization: (
    by: Caller,
    response: AuthorizationResponse,
  ) => Promise<GrantedConsent>
  /**
   * Deletes the caller's tokens, or the tenant's for an administrator. It does not revoke them at
   * the provider.
   */
  readonly withdrawConsent: (by: Caller, credential: string) => Promise<void>
  /** The variables of a credential for a mounted server's process; they are scrubbed afterwards. */
  readonly readEnvironment: (
    tenant: string,
    credential: string,
    server: string,
  ) => Promise<Readonly<Record<string, string>>>
  readonly reseal: (tenant: string) => Promise<ResealResult>
  /** Removes every secret of the tenant that this process decrypted, for logs and errors. */
  readonly scrubber: (tenant: string) => Scrubber
  /** For `createCredentialsApi`: splits a form into its record and its secrets. */
  readonly splitForm: (by: Caller, form: ParsedCredential) => SplitCredential
  /** For `createCredentialsApi`. */
  readonly items: VaultItems
}

export function createVault({
  store,
  keys,
  clock,
  entropy,
  http,
  consentLink = () => undefined,
}: VaultOptions): Vault {
  const items = createVaultItems({
    store,
    envelopes: createEnvelopes(keys),
    clock,
    entropy,
  })
  const used = createUsedSecrets()
  const remember = (tenant: string, secrets: Iterable<Secret>): void =>
    used.remember(tenant, secrets)
  const scrubberOf = (tenant: string): Scrubber => createScrubber(used.all(tenant))
  const options = {
    items,
    clock,
    entropy,
    http,
    consentLink,
    remember,
    scrubberOf,
    states: createStateSigner(keys),
  }
  const tokens = createTokens(options)
  const digestKey = deriveKey(keys[0], 'digest')
  return {
    applySecurity: (request, call, security) =>
      applySecurity({ items, tokens, remember, used, clock }, { request, call, ...security }).catch(
        (thrown: unknown) => {
          throw withoutEffect(thrown, scrubberOf(call.caller.tenant))
        },
      ),
    beginAuthorization: (by, credential, { redirectUri }) =>
      beginAuthorization(options, by, { credential, redirectUri }),
    finishAuthorization: (by, response) => finishAuthorization(options, by, response),
    withdrawConsent: (by, credential) => withdrawConsent(options, by, credential),
    async readEnvironment(tenant, credential, server) {
      const kept = await items.read(itemKey.credential(tenant, credential), CredentialRecord)
      if (kept?.record.kind !== 'environment' || kept.record.server !== server)
        throw environmentMissing(credential, server)
      remember(tenant, secretsToScrub(kept))
      return environmentOf(kept)
    },
    reseal: (tenant) => reseal(items, tenant),
    scrubber: scrubberOf,
    splitForm: (by, form) => splitCredential(form, { principal: by.principal, digestKey }),
    items,
  }
}
