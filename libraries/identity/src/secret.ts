import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates a random secret of 256 bits, as 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The hash that is stored. The secret is random, so one round of SHA-256 is enough. */
export function hashSecret(secret: string): string {
  return digest('sha256', secret)
}

/** Whether the secret has this hash. The comparison takes constant time. */
export function isSecretOf(secret: string, hash: string): boolean {
  const [given, stored] = [Buffer.from(hashSecret(secret)), Buffer.from(hash)]
  return given.length === stored.length && timingSafeEqual(given, stored)
}
