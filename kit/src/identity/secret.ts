import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits, 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** All that is kept of a secret. It is random, so one round is enough: there is nothing to guess. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Is this the secret of that hash? Takes as long for a near miss as for a far one. */
export function isSecretOf(secret: string, hash: string): boolean {
  const [given, kept] = [Buffer.from(secretHash(secret), 'hex'), Buffer.from(hash, 'hex')]
  return given.length === kept.length && timingSafeEqual(given, kept)
}
