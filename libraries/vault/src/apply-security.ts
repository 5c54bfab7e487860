import type { ForeignCall } from '@surehand/core/host'
import {
  type Chooser,
  type CredentialReferences,
  chooseCredentials,
  type Served,
} from './choose-credentials.ts'
import { concealed } from './concealed.ts'
import { unspeakable } from './credential-record.ts'
import { type Credentialed, placeSecret, spotOf } from './place-secret.ts'
import { type Scrubber, scrubber } from './scrubber.ts'
import { type Secret, secret } from './secret.ts'
import type { SourceRequest } from './source-request.ts'
import type { Tokens } from './tokens.ts'
import type { UsedSecrets } from './used-secrets.ts'
import { secretNamed } from './vault-items.ts'

export type SecurityOptions = {
  readonly references?: CredentialReferences
  readonly signal: AbortSignal
}

/** A request with its credentials. It is on its way out: nothing but egress looks at it. */
export type Secured = Credentialed & {
  /** Takes what was put in out of what comes back. */
  readonly scrubber: Scrubber
  /** The provider did not take them (401): the next call asks for new tokens. */
  readonly refused: () => Promise<void>
}

export type Securing = SecurityOptions & {
  readonly request: SourceRequest
  readonly call: ForeignCall
}

/** What goes into the request, and the secrets that are in it. */
type Filled = {
  readonly served: Served
  readonly sent: string
  readonly secrets: readonly Secret[]
}

export async function applySecurity(
  parts: Chooser & { readonly used: UsedSecrets },
  securing: Securing,
): Promise<Secured> {
  const { request, call, references = {}, signal } = securing
  const served = await chooseCredentials(parts, { request, call, references })
  const filled = await Promise.all(served.map((one) => fill(parts.tokens, one, signal)))
  const plain: Credentialed = { request, credentialHeaders: [], credentialQuery: [] }
  const credentialed = filled.reduce(
    (given, { served: { need }, sent }) => placeSecret(given, spotOf(need), sent),
    plain,
  )
  const secrets = filled.flatMap((one) => [...unspeakable(one.served.kept), ...one.secrets])
  return {
    ...credentialed,
    request:
      filled.length === 0
        ? request
        : concealed({ ...credentialed.request }, '[request with credentials]'),
    scrubber: scrubber(parts.used.removers(call.caller.tenant, secrets)),
    async refused() {
      for (const {
        served: one,
        secrets: [token],
      } of filled)
        if (one.owner !== undefined && token !== undefined)
          await parts.tokens.refused(one.owner, token)
    },
  }
}

async function fill(tokens: Tokens, served: Served, signal: AbortSignal): Promise<Filled> {
  const { kept, owner } = served
  switch (kept.record.kind) {
    case 'apiKey':
      return { served, sent: secretNamed(kept, 'value').reveal(), secrets: [] }
    case 'bearer':
      return { served, sent: `Bearer ${secretNamed(kept, 'token').reveal()}`, secrets: [] }
    case 'basic': {
      const pair = Buffer.from(
        `${secretNamed(kept, 'username').reveal()}:${secretNamed(kept, 'password').reveal()}`,
      ).toString('base64')
      return { served, sent: `Basic ${pair}`, secrets: [secret(pair)] }
    }
    case 'clientCredentials':
    case 'authorizationCode': {
      if (owner === undefined) throw new TypeError('Tokens belong to somebody.')
      const token = await tokens.access(owner, signal)
      return { served, sent: `Bearer ${token.reveal()}`, secrets: [token] }
    }
  }
}
