import type { Caller } from '@surehand/core'
import type { ForeignCall } from '@surehand/core/host'
import type { AdminStore, Clock, Entropy } from '@surehand/core/ports'
import { applySecurity, type Secured, type SecurityOptions } from './apply-security.ts'
import {
  type Begun,
  beginAuthorization,
  type CameBack,
  type Consented,
  finishAuthorization,
  withdrawConsent,
} from './authorization.ts'
import { authorizationStates } from './authorization-state.ts'
import type { ParsedCredential } from './credential-form.ts'
import { type Made, madeOf } from './credential-record.ts'
import { derivedKey } from './derived-key.ts'
import { envelopes } from './envelope.ts'
import { type Resealed, reseal } from './reseal.ts'
import { type Scrubber, scrubber } from './scrubber.ts'
import type { Secret } from './secret.ts'
import type { SourceRequest } from './source-request.ts'
import type { VaultHttp } from './token-endpoint.ts'
import { createTokens } from './tokens.ts'
import { nothingSent } from './trouble.ts'
import { usedSecrets } from './used-secrets.ts'
import { createVaultItems, type VaultItems } from './vault-items.ts'

export type VaultOptions = {
  readonly store: AdminStore
  /** 32 bytes each, for this purpose alone: the first seals, all open. */
  readonly keys: readonly [Uint8Array, ...Uint8Array[]]
  readonly clock: Clock
  readonly chance: Entropy
  /** Asks token endpoints; goes through egress. */
  readonly http: VaultHttp
  /** Where a person goes to agree, if there is such a page. */
  readonly consentLink?: (tenant: string, credential: string) => string | undefined
}

/** The credentials of every house: sealed in the store, put into requests, taken out of answers. */
export type Vault = {
  /** The request with what the first alternative that can be served wants; refused before anything is sent where none can. */
  readonly applySecurity: (
    request: SourceRequest,
    call: ForeignCall,
    options: SecurityOptions,
  ) => Promise<Secured>
  readonly beginAuthorization: (
    by: Caller,
    credential: string,
    options: { readonly redirectUri: string },
  ) => Promise<Begun>
  readonly finishAuthorization: (by: Caller, cameBack: CameBack) => Promise<Consented>
  /** Forgets the tokens of who asks (or of the house, by an administrator). The provider is not told. */
  readonly withdrawConsent: (by: Caller, credential: string) => Promise<void>
  readonly reseal: (tenant: string) => Promise<Resealed>
  /** Takes every secret of a house that was opened here out of a text: for logs and errors. */
  readonly scrubber: (tenant: string) => Scrubber
  /** For the desk: a form in its two halves. */
  readonly halves: (by: Caller, form: ParsedCredential) => Made
  /** For the desk: where they are sealed. */
  readonly items: VaultItems
}

export function createVault({
  store,
  keys,
  clock,
  chance,
  http,
  consentLink = () => undefined,
}: VaultOptions): Vault {
  const items = createVaultItems({ store, envelopes: envelopes(keys), clock, chance })
  const used = usedSecrets()
  const remember = (tenant: string, secrets: Iterable<Secret>): void =>
    used.remember(tenant, secrets)
  const scrubberOf = (tenant: string): Scrubber => scrubber(used.all(tenant))
  const shelf = {
    items,
    clock,
    chance,
    http,
    consentLink,
    remember,
    scrubberOf,
    states: authorizationStates(keys),
  }
  const tokens = createTokens(shelf)
  const digestKey = derivedKey(keys[0], 'digest')
  return {
    applySecurity: (request, call, options) =>
      applySecurity({ items, tokens, remember, used }, { request, call, ...options }).catch(
        (thrown: unknown) => {
          throw nothingSent(thrown, scrubberOf(call.caller.tenant))
        },
      ),
    beginAuthorization: (by, credential, { redirectUri }) =>
      beginAuthorization(shelf, by, { credential, redirectUri }),
    finishAuthorization: (by, cameBack) => finishAuthorization(shelf, by, cameBack),
    withdrawConsent: (by, credential) => withdrawConsent(shelf, by, credential),
    reseal: (tenant) => reseal(items, tenant),
    scrubber: scrubberOf,
    halves: (by, form) => madeOf(form, { principal: by.principal, digestKey }),
    items,
  }
}
