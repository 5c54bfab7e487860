import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits, 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** All that is kept of a secret. It is random, so one round is enough: there is nothing to guess. */
export function secretHash(secret: string): string {
  return digest('sha256', secret)
}

/** Is this the secret of that hash? Takes as long for a near miss as for a far one. */
export function isSecretOf(secret: string, hash: string): boolean {
  const [given, kept] = [Buffer.from(secretHash(secret)), Buffer.from(hash)]
  return given.length === kept.length && timingSafeEqual(given, kept)
}
