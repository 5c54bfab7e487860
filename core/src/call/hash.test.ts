import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, hashJson, sha256, uuidOf } from './canonical.ts'

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
])('SHA-256 matches the known vectors', (text, digest) => {
  expect(sha256(text)).toBe(digest)
})

test('a text is hashed as UTF-8', () => {
  expect(sha256('€😀')).toBe(createHash('sha256').update(Buffer.from('€😀', 'utf8')).digest('hex'))
})

test('the hash of a value is that of its canonical JSON, in 64 hex digits', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(hashJson(value)).toBe(sha256(canonicalJson(value)))
      expect(hashJson(value)).toMatch(/^[0-9a-f]{64}$/)
    }),
  )
})

test('values that differ in spelling alone hash alike, others do not', () => {
  expect(hashJson({ a: 1, b: -0 })).toBe(hashJson({ b: 0, a: 1.0 }))
  expect(hashJson({ a: '1' })).not.toBe(hashJson({ a: 1 }))
  expect(hashJson([])).not.toBe(hashJson({}))
})

test('the UUID of any text is a UUID of version 5 and the variant of RFC 9562', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(uuidOf(text)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
    }),
  )
})

test('the UUID of a text is always the same, and no other text has it', () => {
  const texts = Array.from({ length: 10_000 }, (_, index) => `key-${index}`)
  expect(texts.map(uuidOf)).toEqual(texts.map(uuidOf))
  expect(new Set(texts.map(uuidOf)).size).toBe(texts.length)
})

// keys in ledgers and at providers are made with it: they must be the same after every upgrade
test('the UUID of a text does not change with a release', () => {
  expect(uuidOf('booking-17')).toBe('1a8a317d-a246-548f-b10a-d47bac13cf29')
})
