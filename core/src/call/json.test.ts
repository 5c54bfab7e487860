import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guardJson, MAX_KEYS, parseJson } from './json.ts'
import { isToolError, type ToolError } from './tool-error.ts'

const MIB = 1024 * 1024

function refusal(run: () => unknown): ToolError {
  try {
    run()
  } catch (thrown) {
    if (isToolError(thrown)) return thrown
    throw thrown
  }
  throw new Error('It was accepted.')
}

const fieldOf = ({ details }: ToolError) =>
  (details as { validation_errors: { field: string }[] }).validation_errors[0]?.field
const parse = (text: string) => parseJson(text, MIB)

const forbidden = ['__proto__', 'constructor', 'prototype']
const key = fc.string({ unit: 'binary' }).filter((name) => !forbidden.includes(name))
const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', '}', '[', ']', ',') }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
  fc.boolean(),
  fc.constant(null),
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.array(tie('tree')),
    fc.dictionary(key, tie('tree'), { noNullPrototype: true }),
  ),
}))

test('any JSON text within the limits reads as JSON.parse reads it', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 2, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(parse(text)).toStrictEqual(JSON.parse(text))
    }),
  )
})

const outcomeOf = (text: string): unknown => {
  try {
    return { value: parse(text) }
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    // Where a text ends that is no JSON depends on its length.
    const { code, message, details } = thrown
    return message.startsWith('The input is not JSON') ? { code } : { code, message, details }
  }
}

test('small inputs, which are read by a faster way, are read and refused like large ones', () => {
  // Longer than what the faster way takes.
  const enlarge = (text: string): string => text + ' '.repeat(17_000)
  const odd = fc.constantFrom(
    ...forbidden.map((name) => `{"a":{"${name}":1}}`),
    '{"a":1,"a":2}',
    '{"a":[{"b":1,"b":1}]}',
    '{"a":9007199254740993}',
    '{"a":1e400}',
    '{"a":-0}',
    '{"a":"\\ud800"}',
    '{"\\udc00":1}',
    '{"a\\"":1,"a\\"":2}',
    '{"a":":{["}',
    '"\\\\"',
    '{"é":"\ud83d\ude00"}',
    '[[[',
    `${'['.repeat(64)}${']'.repeat(64)}`,
    `${'['.repeat(65)}${']'.repeat(65)}`,
    `{${Array.from({ length: 1_000 }, (_, index) => `"k${index}":0`).join()}}`,
  )
  const json = tree.map((value) => JSON.stringify(value))
  const noise = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', '1') })
  fc.assert(
    fc.property(fc.oneof(odd, json, noise), (text) => {
      expect(outcomeOf(text)).toStrictEqual(outcomeOf(enlarge(text)))
    }),
    { numRuns: 500 },
  )
})

test('text that is no JSON is refused as such, and nothing else is thrown', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', 'a', '1', ' ') }),
      (text) => {
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        if (!valid) expect(refusal(() => parse(text)).code).toBe('TOOL_INVALID_INPUT')
      },
    ),
  )
})

describe('a repeated key', () => {
  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":2}',
    '{"a":{"b":[{"c":1,"c":2}]}}',
    '[1,[2,{"x":{},"x":[]}]]',
    '{"😀":1,"\\ud83d\\ude00":2}',
    '{ "a" : 1 , "a" : 2 }',
    '{"a:b":1,"a:b":2}',
  ])('is refused in %s', (text) => {
    const error = refusal(() => parse(text))
    expect(error).toMatchObject({
      code: 'TOOL_INVALID_INPUT',
      message: 'The input repeats a key within one object.',
    })
  })

  test('is refused wherever it stands', () => {
    fc.assert(
      fc.property(
        key,
        fc.array(fc.constantFrom('array', 'object'), { maxLength: 20 }),
        (name, around) => {
          const twice = `{${JSON.stringify(name)}:1,"between":{},${JSON.stringify(name)}:2}`
          const text = around.reduce(
            (inner, kind) => (kind === 'array' ? `[0,${inner}]` : `{"x":${inner}}`),
            twice,
          )
          expect(refusal(() => parse(text)).message).toMatch(/repeats a key/)
        },
      ),
    )
  })

  test('in two different objects is fine', () => {
    expect(parse('[{"a":1},{"a":{"a":2}}]')).toEqual([{ a: 1 }, { a: { a: 2 } }])
  })
})

test.each([
  '{"a":"b:c"}',
  '{"a:":":"}',
  '{"a":"\\"x\\":1"}',
  '{"a\\\\":"{[\\\\"}',
  '["}]:,{"]',
  '{"\\"":"\\\\\\""}',
])('signs inside of strings do not confuse the count of keys: %s', (text) => {
  expect(parse(text)).toEqual(JSON.parse(text))
})

describe('depth', () => {
  test('of 64 is accepted, of 65 refused', () => {
    expect(() => parse(`${'['.repeat(64)}${']'.repeat(64)}`)).not.toThrow()
    expect(() => parse(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`)).not.toThrow()
    expect(refusal(() => parse(`${'['.repeat(65)}${']'.repeat(65)}`)).message).toBe(
      'The input is nested deeper than 64.',
    )
    expect(refusal(() => parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).message).toBe(
      'The input is nested deeper than 64.',
    )
  })

  test('of 100,000 does not overflow the stack', () => {
    expect(refusal(() => parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).message).toMatch(
      /deeper than 64/,
    )
    expect(refusal(() => parse('{"a":'.repeat(100_000))).message).toMatch(/deeper than 64/)
  })

  test('of brackets inside a string does not count', () => {
    expect(parse(JSON.stringify(['['.repeat(1000)]))).toEqual(['['.repeat(1000)])
  })

  test('without an end, as a cycle in process has it, is refused', () => {
    const endless: unknown[] = []
    endless.push(endless)
    expect(refusal(() => guardJson(endless, MIB)).message).toMatch(/deeper than 64/)
  })
})

test('10,000 keys are accepted, 10,001 refused, however they are spread', () => {
  const flat = (count: number) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0])),
    )
  const spread = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ k: 0 })))
  for (const text of [flat(MAX_KEYS), spread(MAX_KEYS)]) expect(() => parse(text)).not.toThrow()
  for (const text of [flat(MAX_KEYS + 1), spread(MAX_KEYS + 1)])
    expect(refusal(() => parse(text)).message).toBe('The input has more than 10000 keys.')
})

describe('size', () => {
  test('is counted in bytes of UTF-8', () => {
    expect(parseJson('"€€"', 8)).toBe('€€')
    expect(refusal(() => parseJson('"€€"', 7))).toMatchObject({
      code: 'TOOL_INPUT_TOO_LARGE',
      details: { max_bytes: 7 },
    })
    expect(parseJson('"😀"', 6)).toBe('😀')
    expect(refusal(() => parseJson('"😀"', 5)).code).toBe('TOOL_INPUT_TOO_LARGE')
  })

  test.each([
    ['a text', { text: 'x'.repeat(51) }],
    ['a key', { ['k'.repeat(51)]: 1 }],
    ['a list', { items: Array.from({ length: 51 }, () => 1) }],
  ])('is bounded by %s of a value in process too', (_what, value) => {
    expect(refusal(() => guardJson(value, 50)).code).toBe('TOOL_INPUT_TOO_LARGE')
  })
})

describe('keys that could reach a prototype', () => {
  test.each(forbidden)('%s is refused, with the path to it', (name) => {
    expect(fieldOf(refusal(() => parse(`{"${name}":1}`)))).toBe(name)
    expect(fieldOf(refusal(() => parse(`{"a":[0,{"${name}":{"polluted":true}}]}`)))).toBe(
      `a[1].${name}`,
    )
  })

  test('are seen through their escapes', () => {
    expect(fieldOf(refusal(() => parse('{"\\u005f_proto__":{}}')))).toBe('__proto__')
  })

  test('are fine as values and as parts of a longer key', () => {
    expect(parse('{"a":"__proto__","constructors":1}')).toEqual({
      a: '__proto__',
      constructors: 1,
    })
  })
})

describe('numbers', () => {
  test.each([
    '9007199254740991',
    '-9007199254740991',
    '0',
    '-0',
    '0.1',
    '1e15',
    '1.5e-300',
    '123456.789',
  ])('%s is accepted', (text) => {
    expect(parse(text)).toBe(JSON.parse(text))
  })

  test.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1e300',
    '12345678901234567890',
  ])('%s loses digits and is refused', (text) => {
    const error = refusal(() => parse(`{"a":{"b":[${text}]}}`))
    expect(error.message).toBe('A whole number beyond ±2^53 loses digits; send it as text.')
    expect(fieldOf(error)).toBe('a.b[0]')
  })

  test('too large for any number is refused', () => {
    expect(refusal(() => parse('[1e400]')).message).toBe('Infinity is not a JSON number.')
  })
})

describe('half a character', () => {
  test.each(['["\\ud800"]', '["\\udc00x"]', '["\ud83d"]'])('is refused in the text %s', (text) => {
    expect(refusal(() => parse(text)).message).toMatch(/lone surrogate/)
  })

  test('is refused in a key', () => {
    expect(refusal(() => parse('{"a\\ud800":1}')).message).toMatch(/lone surrogate/)
  })
})

test.each([() => 1, 1n, Symbol('s')])(
  '%s, which only a caller in process can send, is refused',
  (value) => {
    expect(refusal(() => guardJson({ a: value }, MIB)).code).toBe('TOOL_INVALID_INPUT')
  },
)

// JSON has no word for it: kept as null it would be another input than the one that was checked
test.each([[[undefined]], [['a', undefined, 'b']], [new Array(2)]])(
  'a gap in a list, %j, is refused',
  (items) => {
    expect(refusal(() => guardJson({ items }, MIB)).code).toBe('TOOL_INVALID_INPUT')
  },
)

test('a member without a value is as good as missing', () => {
  expect(() => guardJson({ a: undefined }, MIB)).not.toThrow()
})
