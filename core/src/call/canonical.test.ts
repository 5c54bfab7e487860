import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, canonicalNumber, canonicalString, MAX_DEPTH } from './canonical.ts'

// RFC 8785, appendix B: IEEE 754 bits and the text they must have
test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
])('the number with the bits %s is written %s', (bits, text) => {
  expect(canonicalNumber(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text)
})

test.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
  'the bits %s are no JSON number',
  (bits) => {
    expect(() => canonicalNumber(Buffer.from(bits, 'hex').readDoubleBE())).toThrow(/is not JSON/)
  },
)

test('the example of RFC 8785 §3.2.2 comes out byte for byte', () => {
  const value = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`)
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('the keys of RFC 8785 §3.2.3 are sorted by UTF-16 code units, so that an emoji stands before U+FB33', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  const order = [
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
  ]
  expect([...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
    ...order,
    'Hebrew Letter Dalet With Dagesh',
  ])
})

test('number-like keys are sorted as text', () => {
  expect(canonicalJson({ 9: 'a', 10: 'b', 1: 'c' })).toBe('{"1":"c","10":"b","9":"a"}')
})

test('nested objects are sorted, arrays keep their order', () => {
  expect(canonicalJson([{ b: [3, 1, 2], a: {} }, []])).toBe('[{"a":{},"b":[3,1,2]},[]]')
})

test('a member without a value is left out', () => {
  expect(canonicalJson({ b: undefined, a: 1, c: undefined })).toBe('{"a":1}')
})

test('an own key called __proto__ is written like any other', () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe(
    '{"__proto__":{"a":2},"b":1}',
  )
})

describe('strings', () => {
  test.each([
    ['\b\t\n\f\r', '"\\b\\t\\n\\f\\r"'],
    ['\u0000\u001f', '"\\u0000\\u001f"'],
    ['"\\/', '"\\"\\\\/"'],
    ['\u007f\u2028\u2029', '"\u007f\u2028\u2029"'],
    ['\ud83d\ude00', '"😀"'],
    ['', '""'],
  ])('%j is escaped as the RFC says, and no more', (text, written) => {
    expect(canonicalString(text)).toBe(written)
  })

  test.each(['\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d'])(
    'the lone surrogate in %j is refused',
    (text) => {
      expect(() => canonicalJson({ text })).toThrow(/lone surrogate is not JSON/)
      expect(() => canonicalJson({ [text]: 1 })).toThrow(/lone surrogate is not JSON/)
    },
  )
})

test.each([undefined, () => 1, Symbol('s'), 1n, Number.NaN])('%s is refused', (value) => {
  expect(() => canonicalJson([value])).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID_INPUT' }),
  )
})

test.each([
  ['a date', new Date(1)],
  ['a map', new Map([[1, 2]])],
  ['a set', new Set([1])],
])('%s is refused: written as {} it would hash like any other', (_name, value) => {
  expect(() => canonicalJson({ value })).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID_INPUT' }),
  )
})

test(`a value nested ${MAX_DEPTH} deep is written, one deeper is refused, and so is one without an end`, () => {
  const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)])
  expect(canonicalJson(nest(MAX_DEPTH))).toHaveLength(2 * MAX_DEPTH + 1)
  expect(() => canonicalJson(nest(MAX_DEPTH + 1))).toThrow(/nested deeper than 64/)
  const endless: Record<string, unknown> = {}
  endless.self = endless
  expect(() => canonicalJson(endless)).toThrow(/nested deeper than 64/)
})

const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })

test('what is written is JSON that says the same', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('the order in which keys were set does not matter', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.integer()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse())
      expect(canonicalJson(reversed)).toBe(canonicalJson(value))
    }),
  )
})
