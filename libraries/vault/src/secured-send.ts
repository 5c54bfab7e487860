import type { ForeignCall } from '@surehand/core/host'
import type { CredentialReferences } from './choose-credentials.ts'
import type { Credentialed } from './place-secret.ts'
import type { Send, SourceAnswer } from './source-request.ts'
import type { Vault } from './vault.ts'

export type SecuredSendOptions = {
  readonly vault: Vault
  readonly references?: CredentialReferences
  /** Through egress. */
  readonly exchange: (
    credentialed: Credentialed,
    call: ForeignCall,
    signal: AbortSignal,
  ) => Promise<SourceAnswer>
}

/** Sends with the credentials of the call's house; what comes back, answer or error, has none of them in it. */
export function securedSend({ vault, references = {}, exchange }: SecuredSendOptions): Send {
  return async (request, call, signal) => {
    const { scrubber, refused, ...credentialed } = await vault.applySecurity(request, call, {
      references,
      signal,
    })
    const answer = await exchange(credentialed, call, signal).catch((thrown: unknown) => {
      throw scrubber.error(thrown)
    })
    // the answer counts: what could not be noted now is noted at the next one
    if (answer.status === 401) await refused().catch(() => undefined)
    return scrubber.answer(answer)
  }
}
