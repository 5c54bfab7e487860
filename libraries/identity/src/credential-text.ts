/** A credential as its holder carries it: whose house, which one, and the secret that is kept nowhere. */
export type CredentialText = {
  readonly tenant: string
  readonly id: string
  readonly secret: string
}

/** `sh`: an access token. `shl`: a sign-in link that works once. */
export type CredentialPrefix = 'sh' | 'shl'

const LONGEST = 1_000
// the tenant may hold underscores; id and secret have a fixed length, so the text reads in one way only
const SHAPES = {
  sh: /^sh_([\w-]+)_([0-9a-z]{26})_([\w-]{43})$/,
  shl: /^shl_([\w-]+)_([0-9a-z]{26})_([\w-]{43})$/,
}

export function credentialText(
  prefix: CredentialPrefix,
  { tenant, id, secret }: CredentialText,
): string {
  return `${prefix}_${Buffer.from(tenant).toString('base64url')}_${id}_${secret}`
}

/** Undefined for what is none. */
export function readCredential(prefix: CredentialPrefix, text: string): CredentialText | undefined {
  if (text.length > LONGEST) return undefined
  const [, encoded, id, secret] = SHAPES[prefix].exec(text) ?? []
  if (encoded === undefined || id === undefined || secret === undefined) return undefined
  const tenant = Buffer.from(encoded, 'base64url').toString()
  // two spellings of one tenant would be two tokens to whoever compares texts
  return Buffer.from(tenant).toString('base64url') === encoded ? { tenant, id, secret } : undefined
}
