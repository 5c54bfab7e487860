import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_KEYS, parseJson } from '../json.ts'
import { isToolError } from '../tool-error.ts'
import { parseJsonInTurns } from './parse-json-in-turns.ts'
import { decodeInTurns, partText } from './parted-text.ts'

const MEBIBYTE = 1024 * 1024
const size = fc.integer({ min: 1, max: 24 })
const symbol = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\',
  'u',
  '0',
  ' ',
  '"a":',
  '[1],',
)

/** The value, or the refusal without the place at which it was noticed. */
async function outcomeOf(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() }
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    const { code, message, details } = thrown
    return message.startsWith('The input is not JSON') ? 'no JSON' : { code, message, details }
  }
}

async function parse(text: string, pieces: number): Promise<unknown> {
  // Parts of a text that are as small as its pieces.
  const parted = partText(text, Math.ceil(Math.log2(pieces)))
  const { value, problem } = await parseJsonInTurns(parted, MEBIBYTE, () => undefined, pieces)
  if (problem !== undefined) throw problem
  return value
}

async function expectSame(text: string, pieces: number): Promise<void> {
  const inTurns = await outcomeOf(() => parse(text, pieces))
  expect(inTurns).toStrictEqual(await outcomeOf(() => parseJson(text, MEBIBYTE)))
}

test('in pieces of any size, a JSON text means what it means at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.constantFrom(undefined, 1, '\t'),
      size,
      (value, space, pieces) => expectSame(JSON.stringify(value, null, space), pieces),
    ),
    { numRuns: 500 },
  )
})

test('in pieces of any size, what is no JSON is refused, and nothing else', async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: symbol, maxLength: 24 }), size, expectSame), {
    numRuns: 5_000,
  })
})

test('what is refused at once is refused in pieces, with the same words and fields', async () => {
  const texts = [
    '{"list":[1,2,{"deep":["a","b","\\ud800"]}]}',
    '{"a":1,"b":{"c":1,"d":2,"c":3}}',
    '{"a":[1,2,{"__proto__":1}]}',
    '[1,2,3,4,5,6,12345678901234567890]',
    `${'['.repeat(65)}${']'.repeat(65)}`,
    `[${Array.from({ length: MAX_KEYS + 1 }, () => '{"a":0}').join(',')}]`,
    '[,[1,2,3,4,5,6,7,8,9]]',
    '[1,,2,[1,2,3,4,5,6,7,8,9]]',
    '[1,2,3,4,5,6,7,8,9,]',
    '{"aaaaaaaaaaaaaaaaaaaaaaaaaaaa":1,}',
    '{"a":1,2:"b"}',
    '"\\u00e9\\u00e9\\ud83d\\ude00\\"\\\\"',
    '  [ 1 , 2 ]  ',
    '[1,2] 3',
    '"unfinished \\',
  ]
  for (const text of texts) for (const pieces of [1, 5, 64]) await expectSame(text, pieces)
})

test('a long string means what it means at once, wherever it has escapes, ends or is no JSON', async () => {
  const plain = 'é'.repeat(150_000)
  for (const text of [
    `["${plain}"]`,
    `["${plain}\\n${plain}\\u00e9"]`,
    `["${plain}\\"", "x"]`,
    `["${plain}\t"]`,
    `["${plain}\u0000${plain}"]`,
    `["${plain}`,
    `["${plain}\\`,
    `["${plain}\\x"]`,
  ])
    await expectSame(text, 32_768)
})

test('a large text is parsed and checked in many parts, with a pause after each', async () => {
  const text = JSON.stringify({
    list: Array.from({ length: 50_000 }, () => [[]]),
    text: '"'.repeat(99_999),
  })
  let pauses = 0
  const value = await parseJsonInTurns(partText(text), MEBIBYTE, () => void pauses++)
  expect(JSON.stringify(value)).toBe(`{"value":${text}}`)
  expect(pauses).toBeGreaterThan(text.length / 65_536 + 10)
})

test('a text that is nested too deeply is refused before any of it is parsed', async () => {
  const text = `${'['.repeat(100_000)} this is no JSON`
  await expect(parseJsonInTurns(partText(text), MEBIBYTE, () => undefined)).rejects.toThrow(
    'than 64',
  )
})

test('bytes that are read a part at a time are the same text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.integer({ min: 0, max: 5 }),
      async (text, bits) => {
        const bytes = Buffer.from(text)
        const parts = await decodeInTurns(bytes, () => undefined, bits)
        if (parts === undefined) throw new Error('The bytes were not read.')
        expect(parts).toMatchObject({ length: text.length, byteLength: bytes.length })
        expect(parts.slice(0, text.length)).toBe(text)
        expect(parts.toString()).toBe(text)
        for (let index = 0; index <= text.length; index++) {
          expect(parts.codeAt(index)).toBe(text.charCodeAt(index))
          expect(parts.charAt(index)).toBe(text[index])
          expect(parts.slice(index, index + 7)).toBe(text.slice(index, index + 7))
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('bytes that are not UTF-8 have no text', async () => {
  expect(await decodeInTurns(Buffer.from([0x22, 0xc3, 0x22]), () => undefined)).toBeUndefined()
})
