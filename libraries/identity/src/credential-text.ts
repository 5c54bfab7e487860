/**
 * The parts of a credential: its tenant, its id, and the secret, of which only the hash is stored.
 */
export type CredentialParts = {
  readonly tenant: string
  readonly id: string
  readonly secret: string
}

/** `sh`: an access token. `shl`: a sign-in link that works once. */
export type CredentialPrefix = 'sh' | 'shl'

const MAX_LENGTH = 1_000
// The encoded tenant may contain underscores. Id and secret have a fixed length, so the text is
// unambiguous.
const SHAPES = {
  sh: /^sh_([\w-]+)_([0-9a-z]{26})_([\w-]{43})$/,
  shl: /^shl_([\w-]+)_([0-9a-z]{26})_([\w-]{43})$/,
}

export function formatCredential(
  prefix: CredentialPrefix,
  { tenant, id, secret }: CredentialParts,
): string {
  return `${prefix}_${Buffer.from(tenant).toString('base64url')}_${id}_${secret}`
}

/** Undefined where the text is not a credential. */
export function parseCredential(
  prefix: CredentialPrefix,
  text: string,
): CredentialParts | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const [, encoded, id, secret] = SHAPES[prefix].exec(text) ?? []
  if (encoded === undefined || id === undefined || secret === undefined) return undefined
  const tenant = Buffer.from(encoded, 'base64url').toString()
  // Only the canonical base64url spelling is accepted: otherwise one token would have two texts,
  // and a limit per text would count it twice.
  return Buffer.from(tenant).toString('base64url') === encoded ? { tenant, id, secret } : undefined
}
