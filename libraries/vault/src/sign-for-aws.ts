import { AwsV4Signer } from 'aws4fetch'
import type { CredentialRecord } from './credential-record.ts'
import type { CredentialedRequest } from './place-secret.ts'
import { requireSecret, type StoredItem } from './vault-items.ts'

/**
 * Adds the headers of AWS Signature Version 4. It must be the last step: the signature covers the
 * address, the query and the body. Of the headers only the host and `x-amz-…` are signed, because
 * others may change on their way.
 */
export async function signForAws(
  given: CredentialedRequest,
  kept: StoredItem<CredentialRecord>,
  nowMs: number,
): Promise<CredentialedRequest> {
  if (kept.record.kind !== 'aws') throw new TypeError('Only an AWS credential can sign a request.')
  const { method, url, headers, body } = given.request
  const { region, service } = kept.record
  const others = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  )
  const signer = new AwsV4Signer({
    method,
    url,
    headers: Object.fromEntries(others.filter(([name]) => name.startsWith('x-amz-'))),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
    accessKeyId: requireSecret(kept, 'accessKeyId').reveal(),
    secretAccessKey: requireSecret(kept, 'secretAccessKey').reveal(),
    ...(kept.secrets.sessionToken === undefined
      ? {}
      : { sessionToken: kept.secrets.sessionToken.reveal() }),
    region,
    // Left out, it is read from the host.
    ...(service === undefined ? {} : { service }),
    datetime: new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  })
  const signed = Object.fromEntries((await signer.sign()).headers)
  return {
    ...given,
    request: { ...given.request, headers: { ...Object.fromEntries(others), ...signed } },
    credentialHeaders: [...new Set([...given.credentialHeaders, ...Object.keys(signed)])],
  }
}
