import type { ForeignCall } from '@surehand/core/host'
import type { CredentialReferences } from './choose-credentials.ts'
import type { CredentialedRequest } from './place-secret.ts'
import type { Send, SourceAnswer } from './source-request.ts'
import type { Vault } from './vault.ts'

export type SecuredSendOptions = {
  readonly vault: Vault
  readonly references?: CredentialReferences
  /** Sends the request through egress. */
  readonly exchange: (
    credentialed: CredentialedRequest,
    call: ForeignCall,
    signal: AbortSignal,
  ) => Promise<SourceAnswer>
}

/**
 * Sends requests with the credentials of the call's tenant, and removes them from responses and
 * errors.
 */
export function securedSend({ vault, references = {}, exchange }: SecuredSendOptions): Send {
  return async (request, call, signal) => {
    const { scrubber, reportRejected, ...credentialed } = await vault.applySecurity(request, call, {
      references,
      signal,
    })
    const answer = await exchange(credentialed, call, signal).catch((thrown: unknown) => {
      throw scrubber.error(thrown)
    })
    // If the rejection cannot be stored now, the next 401 stores it; the provider's answer matters
    // more than this error.
    if (answer.status === 401) await reportRejected().catch(() => undefined)
    return scrubber.answer(answer)
  }
}
