import type { ForeignCall } from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import {
  type ChosenCredential,
  type CredentialChoiceContext,
  type CredentialReferences,
  chooseCredentials,
} from './choose-credentials.ts'
import { secretsToScrub } from './credential-record.ts'
import { hideContents } from './hide-contents.ts'
import { type CredentialedRequest, locationOf, placeSecret } from './place-secret.ts'
import { createScrubber, type Scrubber } from './scrubber.ts'
import { type Secret, secret } from './secret.ts'
import { signForAws } from './sign-for-aws.ts'
import type { SourceRequest } from './source-request.ts'
import type { Tokens } from './tokens.ts'
import type { UsedSecrets } from './used-secrets.ts'
import { requireSecret } from './vault-items.ts'

export type SecurityOptions = {
  readonly references?: CredentialReferences
  readonly signal: AbortSignal
}

/** A request with its credentials filled in. Only egress may read it. */
export type SecuredRequest = CredentialedRequest & {
  /** Removes the credentials from responses and errors. */
  readonly scrubber: Scrubber
  /** The provider answered 401: the next call requests new tokens. */
  readonly reportRejected: () => Promise<void>
}

export type ApplySecurityInput = SecurityOptions & {
  readonly request: SourceRequest
  readonly call: ForeignCall
}

/**
 * A chosen credential, the value to send, and further secrets that the value contains. A credential
 * that signs the request has no value.
 */
type FilledCredential = {
  readonly served: ChosenCredential
  readonly sent: string | undefined
  readonly secrets: readonly Secret[]
}

export async function applySecurity(
  parts: CredentialChoiceContext & { readonly used: UsedSecrets; readonly clock: Clock },
  securing: ApplySecurityInput,
): Promise<SecuredRequest> {
  const { request, call, references = {}, signal } = securing
  const served = await chooseCredentials(parts, { request, call, references })
  const filled = await Promise.all(served.map((one) => fillCredential(parts.tokens, one, signal)))
  const plain: CredentialedRequest = {
    request,
    credentialHeaders: [],
    credentialQuery: [],
    credentialFields: [],
  }
  const placed = filled.reduce(
    (given, { served: { need }, sent }) =>
      sent === undefined ? given : placeSecret(given, locationOf(need), sent),
    plain,
  )
  const signing = served.find(({ kept }) => kept.record.kind === 'aws')
  const credentialed =
    signing === undefined ? placed : await signForAws(placed, signing.kept, parts.clock.now())
  const secrets = filled.flatMap((one) => [...secretsToScrub(one.served.kept), ...one.secrets])
  return {
    ...credentialed,
    request:
      filled.length === 0
        ? request
        : hideContents({ ...credentialed.request }, '[request with credentials]'),
    scrubber: createScrubber(parts.used.removers(call.caller.tenant, secrets)),
    async reportRejected() {
      for (const {
        served: one,
        secrets: [token],
      } of filled)
        if (one.owner !== undefined && token !== undefined)
          await parts.tokens.markRejected(one.owner, token)
    },
  }
}

async function fillCredential(
  tokens: Tokens,
  served: ChosenCredential,
  signal: AbortSignal,
): Promise<FilledCredential> {
  const { kept, owner } = served
  switch (kept.record.kind) {
    case 'apiKey':
      return { served, sent: requireSecret(kept, 'value').reveal(), secrets: [] }
    case 'bearer':
      return { served, sent: `Bearer ${requireSecret(kept, 'token').reveal()}`, secrets: [] }
    case 'basic': {
      const pair = Buffer.from(
        `${requireSecret(kept, 'username').reveal()}:${requireSecret(kept, 'password').reveal()}`,
      ).toString('base64')
      return { served, sent: `Basic ${pair}`, secrets: [secret(pair)] }
    }
    case 'aws':
      return { served, sent: undefined, secrets: [] }
    case 'environment':
      throw new TypeError('Variables of a process were chosen for a request.')
    case 'clientCredentials':
    case 'authorizationCode': {
      if (owner === undefined)
        throw new TypeError('An OAuth credential was chosen without the owner of its tokens.')
      const token = await tokens.getAccessToken(owner, signal)
      return { served, sent: `Bearer ${token.reveal()}`, secrets: [token] }
    }
  }
}
