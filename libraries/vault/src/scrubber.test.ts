import { inspect } from 'node:util'
import { ToolError } from '@surehand/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createScrubber } from './scrubber.ts'
import { secret } from './secret.ts'
import { createSecretRemover } from './secret-remover.ts'

const removersOf = (...values: string[]) =>
  values.flatMap((value) => createSecretRemover(value) ?? [])
const AWKWARD = 'p@ss/w"or\\d+ &<é€😀>\'='

/** Encodings in which a provider may repeat a secret. */
const WAYS: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'in a query': (value) => encodeURIComponent(value),
  'in a query, in small letters': (value) =>
    encodeURIComponent(value).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  'in a form': (value) => new URLSearchParams({ a: value }).toString().slice(2),
  'in a query of a query': (value) => encodeURIComponent(encodeURIComponent(value)),
  'with every byte escaped': (value) =>
    [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'in JSON': (value) => JSON.stringify(value).slice(1, -1),
  'in JSON in JSON': (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  'in JSON with slashes escaped': (value) =>
    JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
  'in ASCII JSON': (value) =>
    [...Array(value.length).keys()]
      .map((at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  'in HTML': (value) =>
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  'in hexadecimals': (value) => Buffer.from(value).toString('hex'),
  'in large hexadecimals': (value) => Buffer.from(value).toString('hex').toUpperCase(),
}

describe('a scrubber', () => {
  test.each(Object.keys(WAYS))('finds a secret that comes back %s', (way) => {
    for (const value of ['sk-live-0123456789abcdef', 'hunter22', AWKWARD, 'ends in \\'])
      expect(createScrubber(removersOf(value)).text(`before ${WAYS[way]?.(value)} after`)).toBe(
        'before [secret] after',
      )
  })

  test('finds a secret inside base64 at any offset', () => {
    for (const before of ['', 'u', 'us', 'user:', 'Authorization: '])
      for (const alphabet of ['base64', 'base64url'] as const) {
        const text = Buffer.from(`${before}hunter22-and-more?>`).toString(alphabet)
        const certain = createScrubber(removersOf('hunter22-and-more?>')).text(text)
        expect(certain).toContain('[secret]')
        expect(Buffer.from(certain.replace('[secret]', ''), 'base64').toString()).not.toMatch(
          /hunt|more/,
        )
      }
  })

  test('finds any secret in any of these encodings in the middle of any text', () => {
    const anySecret = fc
      .string({ unit: 'grapheme', minLength: 6, maxLength: 40 })
      .filter((value) => value.trim().length >= 6)
    fc.assert(
      fc.property(
        anySecret,
        fc.constantFrom(...Object.keys(WAYS)),
        fc.string(),
        (value, way, around) => {
          const written = WAYS[way]?.(value) ?? ''
          expect(
            createScrubber(removersOf(value)).text(`${around}|${written}|${around}`),
          ).not.toContain(`|${written}|`)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('removes a long secret completely, and takes no longer for hostile texts', () => {
    const long = `${'header.'.repeat(40)}${AWKWARD}${'payload_'.repeat(100)}`
    for (const write of Object.values(WAYS))
      expect(createScrubber(removersOf(long)).text(`before ${write(long)} after`)).toBe(
        'before [secret] after',
      )
    const backslashes = '\\'.repeat(40)
    expect(
      createScrubber(removersOf(backslashes)).text(`${'\\'.repeat(39)}x`.repeat(200)),
    ).not.toContain('[secret]')
  })

  test('leaves other texts unchanged', () => {
    const text =
      'The order 17 of ann@example.com was sent; see https://example.com/a?b=c%20d and {"a":"b\\n"}'
    expect(createScrubber(removersOf('hunter22', AWKWARD)).text(text)).toBe(text)
  })

  test('ignores secrets that are too short to tell from other words', () => {
    expect(createSecretRemover('abc')).toBeUndefined()
  })

  test('scrubs keys, numbers and arrays of JSON', () => {
    const clean = createScrubber(removersOf('hunter22', '12345678'))
    expect(
      clean.json({ hunter22: [1, 12345678, 'hunter22!', null, true], deep: { x: 'y' } }),
    ).toEqual({
      '[secret]': [1, '[secret]', '[secret]!', null, true],
      deep: { x: 'y' },
    })
  })

  test('scrubs the details, suggestions, data and causes of an error, and keeps its code and effect', () => {
    const vendor = Object.assign(
      new Error('sent Bearer hunter22', { cause: new Error('deep hunter22') }),
      {
        code: 'ECONNRESET',
        request: { headers: { authorization: 'hunter22' } },
      },
    )
    const error = new ToolError('TOOL_NETWORK_ERROR', 'hunter22 was refused', {
      details: { hunter22: 'hunter22', status: 7 },
      suggestions: ['not hunter22'],
      data: ['hunter22'],
      effect: 'possible',
      cause: vendor,
    })
    const clean = createScrubber(removersOf('hunter22')).error(error)
    expect(inspect(clean, { depth: 20, showHidden: true })).not.toContain('hunter22')
    expect(clean).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      effect: 'possible',
      details: { status: 7 },
      cause: { code: 'ECONNRESET', cause: { message: 'deep [secret]' } },
    })
  })

  test('scrubs errors that are not a ToolError', () => {
    const clean = createScrubber(removersOf('hunter22')).error(new Error('hunter22'))
    expect([clean.code, inspect(clean, { depth: 20 }).includes('hunter22')]).toEqual([
      'TOOL_INTERNAL_ERROR',
      false,
    ])
  })

  test('scrubs a body without changing its binary bytes', () => {
    const picture = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const body = Buffer.concat([picture, Buffer.from(`pässword-€ ${AWKWARD}`), picture])
    const answer = {
      status: 200,
      headers: { 'x-echo': 'pässword-€' },
      body: new Uint8Array(body),
      isCut: false,
    }
    const clean = createScrubber(removersOf('pässword-€', AWKWARD)).answer(answer)
    expect([Buffer.from(clean.body), clean.headers]).toEqual([
      Buffer.concat([picture, Buffer.from('[secret] [secret]'), picture]),
      { 'x-echo': '[secret]' },
    ])
    expect(createScrubber(removersOf('other-secret')).answer(answer).body).toBe(answer.body)
  })
})

describe('a secret in memory', () => {
  test('is hidden however it is printed', () => {
    const held = { token: secret('hunter22'), list: [secret('hunter22')] }
    const printed = [
      inspect(held, { depth: 20, showHidden: true, getters: true }),
      inspect(held, { customInspect: false, showHidden: true, depth: 20 }),
      JSON.stringify(held),
      `${held.token}`,
      String(held.list),
      Object.entries(held.token).join(),
    ]
    expect(printed.filter((text) => text.includes('hunter22'))).toEqual([])
    expect(printed[2]).toBe('{"token":"[secret]","list":["[secret]"]}')
    expect(held.token.reveal()).toBe('hunter22')
  })
})
