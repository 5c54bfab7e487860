import { webcrypto } from 'node:crypto'
import { isToolError } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { createEnvelopes } from './envelope.ts'
import { keyOf } from './testing/vault-world.ts'

const [oldKey, newKey] = [keyOf('a'), keyOf('b')]
const BOUND = '["surehand vault","home","vault:shop.key",{"kind":"apiKey"}]'
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'

// Written once with the key of 32 "a" and BOUND: values that are stored today must stay readable.
const KNOWN =
  'v1.682b427e49d0c35f.HZi4zmwwaFoI0Em4JVqri4JgPEwWAaS7imVBgcuU5H_lZx2IfQfAHVaBtZ2_3EgkjGnKkw'

function codeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    return isToolError(thrown) ? thrown.details?.source_code : thrown
  }
}

/** The same, decrypted with another implementation of HKDF and AES-GCM. */
async function openedElsewhere(sealed: string, bound: string): Promise<string> {
  const { subtle } = webcrypto
  const master = await subtle.importKey('raw', oldKey, 'HKDF', false, ['deriveBits'])
  const info = new TextEncoder().encode('surehand vault sealing')
  const bits = await subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    master,
    256,
  )
  const key = await subtle.importKey('raw', bits, 'AES-GCM', false, ['decrypt'])
  const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url')
  const parameters = {
    name: 'AES-GCM',
    iv: bytes.subarray(0, 12),
    additionalData: new TextEncoder().encode(bound),
    tagLength: 128,
  }
  return Buffer.from(await subtle.decrypt(parameters, key, bytes.subarray(12))).toString()
}

describe('an envelope', () => {
  test('is AES-256-GCM under a key derived by HKDF, as another implementation reads it', async () => {
    const sealed = createEnvelopes([oldKey]).seal('{"value":"sk-123"}', BOUND)
    expect(await openedElsewhere(sealed, BOUND)).toBe('{"value":"sk-123"}')
  })

  test('from an earlier version can be decrypted', () => {
    expect(createEnvelopes([oldKey]).open(KNOWN, BOUND)).toBe('{"value":"known answer"}')
  })

  test('never reuses a nonce', () => {
    const { seal } = createEnvelopes([oldKey])
    const nonces = Array.from({ length: 2_000 }, () =>
      Buffer.from(seal('x', BOUND).split('.')[2] ?? '', 'base64url').toString('hex', 0, 12),
    )
    expect(new Set(nonces).size).toBe(2_000)
  })

  test('cannot be decrypted with any character replaced by any other', () => {
    const { seal, open } = createEnvelopes([oldKey])
    const sealed = seal('{"value":"sk-123"}', BOUND)
    let tried = 0
    for (const [index, character] of [...sealed].entries())
      for (const other of ALPHABET) {
        if (other === character) continue
        tried++
        const changed = sealed.slice(0, index) + other + sealed.slice(index + 1)
        expect(codeOf(() => open(changed, BOUND))).toMatch(/^credential_(tampered|key_lost)$/)
      }
    expect(tried).toBeGreaterThan(4_000)
  })

  test('cannot be decrypted cut, extended, padded or empty', () => {
    const { seal, open } = createEnvelopes([oldKey])
    const sealed = seal('{"value":"sk-123"}', BOUND)
    const changed = [...Array(sealed.length).keys()].map((length) => sealed.slice(0, length))
    for (const text of [
      ...changed,
      `${sealed}A`,
      `${sealed}=`,
      `${sealed}.`,
      ` ${sealed}`,
      sealed.replace('v1', 'v2'),
    ])
      expect(codeOf(() => open(text, BOUND))).toMatch(/^credential_(tampered|key_lost)$/)
  })

  test('cannot be decrypted with another binding', () => {
    const { seal, open } = createEnvelopes([oldKey])
    const sealed = seal('{"value":"sk-123"}', BOUND)
    const moved = [
      BOUND.replace('home', 'other'),
      BOUND.replace('shop.key', 'shop.kez'),
      BOUND.replace('apiKey', 'bearer'),
      '',
      `${BOUND} `,
    ]
    expect(moved.map((bound) => codeOf(() => open(sealed, bound)))).toEqual(
      moved.map(() => 'credential_tampered'),
    )
  })

  test('is encrypted with the first key and decrypted with the key that encrypted it', () => {
    const before = createEnvelopes([oldKey]).seal('old', BOUND)
    const both = createEnvelopes([newKey, oldKey])
    expect([
      both.open(before, BOUND),
      both.isCurrent(before),
      both.isCurrent(both.seal('new', BOUND)),
    ]).toEqual(['old', false, true])
    expect(codeOf(() => createEnvelopes([oldKey]).open(both.seal('new', BOUND), BOUND))).toBe(
      'credential_key_lost',
    )
  })

  test('without its key says which key is missing and what to do', () => {
    const sealed = createEnvelopes([oldKey]).seal('old', BOUND)
    expect(() => createEnvelopes([newKey]).open(sealed, BOUND)).toThrow(
      sealed.split('.')[1] ?? 'no name',
    )
  })

  test.each([[[]], [[new Uint8Array(16)]], [[oldKey, new Uint8Array(31)]]])(
    'needs keys of 32 bytes: %#',
    (keys) => {
      expect(() => createEnvelopes(keys)).toThrow(/key/)
    },
  )
})
