import { IdempotencyKey } from '@surehand/core'
import { toJsonSchema } from '@surehand/core/internal'
import {
  AriaRole,
  CartId,
  CheckoutToken,
  CouponCode,
  CssSelector,
  CurrencyCode,
  Email,
  Filter,
  Iso8601Duration,
  IsoInterval,
  Locale,
  Money,
  PageCursor,
  PartySize,
  Path,
  Phone,
  ProductId,
  Quantity,
  Query,
  ResourceId,
  Rfc3339DateTime,
  SlotId,
  Sort,
  Url,
  VariantId,
} from '@surehand/documents'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const shapes = {
  IdempotencyKey,
  AriaRole,
  CartId,
  CheckoutToken,
  CouponCode,
  CssSelector,
  CurrencyCode,
  Email,
  Filter,
  Iso8601Duration,
  IsoInterval,
  Locale,
  Money,
  PageCursor,
  PartySize,
  Path,
  Phone,
  ProductId,
  Quantity,
  Query,
  ResourceId,
  Rfc3339DateTime,
  SlotId,
  Sort,
  Url,
  VariantId,
}

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe.each(Object.entries(shapes))('%s', (_name, schema: z.ZodType) => {
  const jsonSchema = toJsonSchema(schema)
  const examples = z.array(z.unknown()).min(1).parse(jsonSchema.examples)

  test('accepts its own examples and leaves them as they are', () => {
    for (const example of examples) expect(schema.parse(example)).toStrictEqual(example)
  })

  test('exports to the 2020-12 dialect with a title and a description', () => {
    expect(jsonSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\S/),
    })
  })

  test('exports a pattern that accepts the examples, whether a client reads it with the u flag or without', () => {
    if (typeof jsonSchema.pattern !== 'string') return
    for (const example of z.array(z.string()).parse(examples)) {
      expect(example).toMatch(new RegExp(jsonSchema.pattern))
      expect(example).toMatch(new RegExp(jsonSchema.pattern, 'u'))
    }
  })

  test('says the same of its input and its output', () => {
    const { additionalProperties: _, ...output } = toJsonSchema(schema, { io: 'output' })
    expect(output).toEqual(jsonSchema)
  })

  test('coerces nothing', () => {
    for (const other of [
      undefined,
      null,
      true,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      [],
      {},
      new Date(0),
      '',
    ]) {
      expect(accepts(schema, other)).toBe(false)
    }
  })

  // one that backtracks would run into the test's own time limit
  test('decides on long hostile strings', () => {
    for (const unit of [
      'a',
      '0',
      '-',
      '.',
      '/',
      'a.',
      '/a',
      '(',
      '[',
      '"',
      '\\',
      "'a'",
      ' ',
      '1M',
      '-ab',
      'P1',
      'a@',
    ]) {
      for (const start of ['', '/', 'P', 'en-', 'https://a', 'a@', '2025-08-24T10:00:00.', '+49']) {
        expect(schema.safeParse(`${start}${unit.repeat(50_000)}\u0000`).success).toBe(false)
      }
    }
  })
})

test('the exported names are the scalars of the specification', () => {
  expect(Object.keys(shapes).sort()).toEqual(
    'AriaRole CartId CheckoutToken CouponCode CssSelector CurrencyCode Email Filter IdempotencyKey Iso8601Duration IsoInterval Locale Money PageCursor PartySize Path Phone ProductId Quantity Query ResourceId Rfc3339DateTime SlotId Sort Url VariantId'.split(
      ' ',
    ),
  )
})

test('JSON Schema says what it can', () => {
  expect(toJsonSchema(shapes.Url)).toMatchObject({
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    pattern: expect.any(String),
  })
  expect(toJsonSchema(shapes.Path)).toMatchObject({
    type: 'string',
    maxLength: 2048,
    pattern: expect.stringMatching(/^\^/),
  })
  expect(toJsonSchema(shapes.Email)).toMatchObject({
    type: 'string',
    format: 'email',
    maxLength: 254,
    pattern: expect.any(String),
  })
  expect(toJsonSchema(shapes.Rfc3339DateTime)).toMatchObject({
    type: 'string',
    format: 'date-time',
    pattern: expect.any(String),
  })
  expect(toJsonSchema(shapes.CurrencyCode)).toMatchObject({ type: 'string', pattern: '^[A-Z]{3}$' })
  expect(toJsonSchema(shapes.Quantity)).toMatchObject({ type: 'integer', minimum: 1, maximum: 999 })
  expect(toJsonSchema(shapes.PartySize)).toMatchObject({ type: 'integer', minimum: 1, maximum: 50 })
  expect(toJsonSchema(shapes.Query)).toMatchObject({
    type: 'string',
    minLength: 1,
    maxLength: 1000,
  })
  expect(toJsonSchema(shapes.Money)).toMatchObject({
    type: 'object',
    required: ['amount', 'currency'],
  })
  expect(toJsonSchema(shapes.Sort)).toMatchObject({
    properties: { direction: { enum: ['asc', 'desc'] } },
  })
  expect(toJsonSchema(shapes.Filter)).toMatchObject({
    required: ['field', 'op', 'value'],
    properties: { op: { type: 'string' } },
  })
})

const accepted: [keyof typeof shapes, unknown[]][] = [
  [
    'Url',
    [
      'http://localhost:3000',
      'HTTPS://EXAMPLE.COM/',
      'https://[::1]:8080/a',
      'https://192.0.2.1/?q=a@b&f[x]=1',
      'https://xn--mnchen-3ya.de/%C3%BC',
    ],
  ],
  [
    'Path',
    [
      '/',
      '/a/b/',
      '/a//b',
      '/über-uns',
      '/a.b/...',
      '/.well-known/x',
      '/a?back=../b',
      '/a#..',
      '/%2Eab',
      '/😀',
    ],
  ],
  [
    'CssSelector',
    [
      '*',
      '.a\\,',
      'a[href="]{"]',
      'li:nth-child(2n + 1)',
      ':is(h1, h2) ~ p',
      "[title='it\\'s']",
      '.größe',
      'a, b',
      '#\\31 23',
    ],
  ],
  ['AriaRole', ['treeitem', 'none', 'generic', 'searchbox']],
  ['CurrencyCode', ['CHF', 'KWD', 'INR']],
  [
    'Money',
    [
      { amount: -500, currency: 'EUR' },
      { amount: 0, currency: 'JPY' },
      { amount: Number.MAX_SAFE_INTEGER, currency: 'USD' },
    ],
  ],
  ['Email', ["o'neil+tag@mail.example.co.uk", 'a@b.xn--p1ai', `${'a'.repeat(64)}@example.com`]],
  ['Phone', ['+18005550100', '+358401234567', '+37066612345', '+881612345678']],
  [
    'Locale',
    [
      'sr-Latn-RS',
      'es-419',
      'en-us',
      'ca-valencia',
      'ja-JP-u-ca-japanese',
      'en-x-private',
      'gsw',
      'iw',
    ],
  ],
  ['Quantity', [1, 999]],
  ['PartySize', [1, 50]],
  ['ProductId', ['1', 'Z2lkOi8v==', 'a'.repeat(128)]],
  ['Query', ['x', '靴', 'a'.repeat(1000)]],
  [
    'Filter',
    [
      { field: 'a.b', op: 'eq', value: null },
      { field: 'a', op: 'prefix', value: '' },
      { field: '_id', op: 'notIn', value: [1, 'a', true, null] },
    ],
  ],
  ['PageCursor', ['{"after": 7}', 'a'.repeat(2048)]],
  ['IdempotencyKey', ['a', 'a b', '~', 'a'.repeat(255)]],
]

test.each(accepted)('%s accepts what it should', (name, values) => {
  expect(values.filter((value) => !accepts(shapes[name], value))).toEqual([])
})

const refused: [keyof typeof shapes, unknown[]][] = [
  [
    'Url',
    [
      'example.com',
      '//example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      'https:example.com',
      'https:/example.com',
      'https://',
      'https://user@example.com',
      'https://u:p@example.com',
      'https://a\\@b.com',
      'https://a b.com',
      ' https://a.com',
      'https://a.com\n',
      'https://a.com:99999',
      'https://999.1.1.1',
      'https://münchen.de',
      `https://a.com/${'a'.repeat(2048)}`,
    ],
  ],
  [
    'Path',
    [
      'a',
      '?a',
      '//evil.com',
      '///a',
      '/\\evil.com',
      '/a\\b',
      '/\t/evil.com',
      '/a b',
      '/a\u0000',
      '/a\u0085',
      '/.',
      '/..',
      '/a/../b',
      '/a/./b',
      '/a/..?x',
      '/a/.#x',
      '/%2e%2E/a',
      '/a/.%2e',
      'https://a.com/',
    ],
  ],
  [
    'CssSelector',
    [
      ' ',
      'a[b',
      'a]',
      'a(b',
      'a([)]',
      'a"',
      "a['b]",
      'a\\',
      'a,',
      ', a',
      '> a',
      'a >',
      'a { color: red }',
      'a; b',
      '</style>',
      'a'.repeat(1001),
    ],
  ],
  ['AriaRole', ['widget', 'landmark', 'Button', 'roletype', 'btn']],
  ['CurrencyCode', ['eur', 'Eur', 'EURO', 'XYZ', 'ABC', '€']],
  [
    'Money',
    [
      { amount: 19.99, currency: 'EUR' },
      { amount: '1999', currency: 'EUR' },
      { amount: 2 ** 53, currency: 'EUR' },
      { amount: 1 },
      { amount: 1, currency: 'eur' },
    ],
  ],
  [
    'Email',
    [
      'a',
      'a@b',
      'a@@b.com',
      '.a@b.com',
      'a.@b.com',
      'a..b@c.com',
      'a@-b.com',
      'a@b-.com',
      'a@b..com',
      'a@1.2.3.4',
      'Ada <a@b.com>',
      ' a@b.com',
      'a@b.com\n',
      `${'a'.repeat(65)}@b.com`,
      `a@${'b.'.repeat(130)}com`,
    ],
  ],
  [
    'Phone',
    [
      '4930123456',
      '+0123456789',
      '+49 30 123456',
      '+49-30-123456',
      '+49123',
      '+1234567890123456',
      '+2101234567',
      '+999123456789',
      '+3841234567',
      '+4930123456x',
    ],
  ],
  [
    'Locale',
    [
      'x',
      'xx',
      'xx-invalid-garbage',
      'en-invalid-garbage',
      'en_US',
      'en-',
      'english',
      'en-XX',
      'en-Abcd',
      'de-1996-1996',
      'en-u-ca-buddhist-u-nu-latn',
      'und',
      'x-private',
      'en-US ',
    ],
  ],
  ['Quantity', [0, 1000, 1.5, '1', -1]],
  ['PartySize', [0, 51, 2.5, '2']],
  ['ProductId', ['a b', 'a/b', '..', '.a', '-a', 'a\n', 'ä', 'a'.repeat(129)]],
  ['Query', [' \t\n', 'a'.repeat(1001)]],
  [
    'Filter',
    [
      { field: 'a', op: 'like', value: 'b' },
      { field: 'a', op: 'eq', value: [1] },
      { field: 'a', op: 'in', value: 1 },
      { field: 'a', op: 'in', value: [] },
      { field: 'a', op: 'in', value: [[1]] },
      { field: 'a', op: 'lt', value: true },
      { field: 'a', op: 'contains', value: 1 },
      { field: 'a', op: 'eq', value: {} },
      { field: 'a b', op: 'eq', value: 1 },
      { field: 'a', op: 'eq' },
    ],
  ],
  [
    'Sort',
    [{ field: 'a' }, { field: 'a', direction: 'ascending' }, { field: '', direction: 'asc' }],
  ],
  ['PageCursor', ['a\n', 'ä', 'a'.repeat(2049)]],
  ['IdempotencyKey', [' a', 'a ', ' ', 'a\tb', 'a\n', 'ä', 'a'.repeat(256)]],
]

test.each(refused)('%s refuses what it should', (name, values) => {
  expect(values.filter((value) => accepts(shapes[name], value))).toEqual([])
})

test('one mistake is one problem', () => {
  for (const [name, value] of [
    ['Url', 'nope'],
    ['Phone', 'nope'],
    ['Locale', '!'],
    ['CssSelector', '"'],
    ['Query', ''],
    ['IsoInterval', 'nope'],
    ['Rfc3339DateTime', 'nope'],
  ] as const) {
    expect(shapes[name].safeParse(value).error?.issues).toHaveLength(1)
  }
})

test('unknown keys are stripped', () => {
  expect(shapes.Money.parse({ amount: 1, currency: 'EUR', display: '€0.01' })).toEqual({
    amount: 1,
    currency: 'EUR',
  })
  expect(shapes.Sort.parse({ field: 'a', direction: 'asc', nulls: 'last' })).toEqual({
    field: 'a',
    direction: 'asc',
  })
  expect(shapes.Filter.parse({ field: 'a', op: 'eq', value: 1, not: true })).toEqual({
    field: 'a',
    op: 'eq',
    value: 1,
  })
})

test('an accepted path never leaves the site it is resolved on', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2E',
    'a',
    '?',
    '#',
    '@',
    ':',
    '\t',
    ' ',
    'evil.com',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = `/${pieces.join('')}`
      fc.pre(accepts(shapes.Path, path))
      const { origin, pathname } = new URL(path, 'https://shop.example')
      expect(origin + pathname).toBe(`https://shop.example${path.replace(/[?#].*$/, '')}`)
    }),
    { numRuns: 2000 },
  )
})
