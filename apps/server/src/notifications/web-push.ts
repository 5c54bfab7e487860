import { Buffer } from 'node:buffer'
import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto'
import type { PushSubscription } from '@surehand/http'

const CURVE = 'prime256v1'
const KEY_BYTES = 32
const RECORD_BYTES = 4_096

/** The key pair that identifies this server to push services (VAPID, RFC 8292). */
export type PushKeys = { readonly publicKey: Buffer; readonly privateKey: Buffer }

/**
 * The same installation always has the same pair: browsers are subscribed to it, and a new one
 * would end every subscription.
 */
export function derivePushKeys(installation: string): PushKeys {
  const privateKey = Buffer.from(
    hkdfSync('sha256', installation, '', 'surehand web push', KEY_BYTES),
  )
  const pair = createECDH(CURVE)
  pair.setPrivateKey(privateKey)
  return { publicKey: pair.getPublicKey(), privateKey }
}

/** What an encryption must not use twice; tests fix it to the values of the standard. */
export type PushSecrets = { readonly salt: Buffer; readonly privateKey: Buffer }

function newSecrets(): PushSecrets {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  // Node leaves out leading zeros.
  const key = pair.getPrivateKey()
  return {
    salt: randomBytes(16),
    privateKey: Buffer.concat([Buffer.alloc(KEY_BYTES - key.length), key]),
  }
}

/** Encrypts a message for one subscription, as RFC 8291 and RFC 8188 (aes128gcm) say. */
export function encryptPush(
  text: string,
  { keys }: Pick<PushSubscription, 'keys'>,
  { salt, privateKey }: PushSecrets = newSecrets(),
): Buffer {
  const receiver = Buffer.from(keys.p256dh, 'base64url')
  const sender = createECDH(CURVE)
  sender.setPrivateKey(privateKey)
  const shared = sender.computeSecret(receiver)
  const own = sender.getPublicKey()
  const derive = (secret: Uint8Array, from: Uint8Array, info: Uint8Array, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, from, info, bytes))
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, own])
  const material = derive(shared, Buffer.from(keys.auth, 'base64url'), keyInfo, KEY_BYTES)
  const key = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // 2 ends the last record, which here is the only one.
  const record = Buffer.concat([cipher.update(text), cipher.update(Buffer.of(2)), cipher.final()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, size, Buffer.of(own.length), own, record, cipher.getAuthTag()])
}

const TOKEN_SECONDS = 12 * 60 * 60

/** The header by which a push service recognises this server. */
export function vapidAuthorization(
  { publicKey, privateKey }: PushKeys,
  about: { readonly endpoint: string; readonly subject: string; readonly nowMs: number },
): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = {
    aud: new URL(about.endpoint).origin,
    exp: Math.floor(about.nowMs / 1_000) + TOKEN_SECONDS,
    sub: about.subject,
  }
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: privateKey.toString('base64url'),
      x: publicKey.subarray(1, 33).toString('base64url'),
      y: publicKey.subarray(33).toString('base64url'),
    },
  })
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey.toString('base64url')}`
}
