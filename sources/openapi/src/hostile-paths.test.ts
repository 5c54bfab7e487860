import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOpenApi } from './read-open-api.ts'
import { buildRequest } from './request/build-request.ts'

const parameter = (name: string, rest: object = {}) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  ...rest,
})
const { operations } = readOpenApi(
  {
    openapi: '3.0.3',
    info: { title: 'p', version: '1' },
    servers: [{ url: 'https://api.example/tenants/7' }],
    paths: {
      '/p5/{v}/z': { get: { operationId: 'plain', parameters: [parameter('v')], responses: {} } },
      '/p6/{v}': {
        get: {
          operationId: 'label',
          parameters: [parameter('v', { style: 'label' })],
          responses: {},
        },
      },
      '/p7/{v}': {
        get: {
          operationId: 'matrix',
          parameters: [parameter('v', { style: 'matrix' })],
          responses: {},
        },
      },
      '/p8/{v}{w}/z': {
        get: { operationId: 'two', parameters: [parameter('v'), parameter('w')], responses: {} },
      },
      '/p9/{v}/z': {
        get: {
          operationId: 'list',
          parameters: [parameter('v', { schema: { type: 'array', items: { type: 'string' } } })],
          responses: {},
        },
      },
    },
  },
  { name: 'p' },
)

function urlOf(operationId: string, input: unknown): string {
  const operation = operations.find((one) => one.operationId === operationId)
  if (operation === undefined) throw new Error(operationId)
  return buildRequest(operation, { input, idempotencyKey: 'k' }, {}).url
}

const DOTS = [
  '.',
  '..',
  '%2e',
  '%2e%2e',
  '%252e%252e',
  '.%2e',
  '%2E.',
  '．．',
  '‥',
  '..;',
  '..;x=1',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
]
const SLASHES = ['/', '\\', '%2f', '%5c', '%252f', '%c0%af', '//', '/\\']
const TAILS = ['', 'admin', '?x=1', '#f', '@evil.example', ':80']
const HOSTILE = [
  '',
  '/',
  '//evil.example',
  '\\\\evil.example',
  'a//b',
  'a/',
  '/a',
  '\u0000',
  'a\r\nHost: evil.example',
  ...DOTS,
  ...DOTS.flatMap((dots) =>
    SLASHES.flatMap((slash) =>
      TAILS.flatMap((tail) => [`${dots}${slash}${tail}`, `a${slash}${dots}${slash}${tail}`]),
    ),
  ),
]

describe('a path parameter', () => {
  test(`is refused if any server could read it as another place (${HOSTILE.length} ways)`, () => {
    expect(HOSTILE.length).toBeGreaterThan(500)
    for (const operationId of ['plain', 'label', 'matrix', 'list']) {
      const sent = HOSTILE.filter((v) => {
        try {
          urlOf(operationId, { v: operationId === 'list' ? [v] : v })
          return true
        } catch (error) {
          expect(error).toMatchObject({ code: 'TOOL_INVALID_FIELD_VALUE', effect: 'none' })
          return false
        }
      })
      expect(sent).toEqual([])
    }
  })

  test('cannot form a hostile segment together with another', () => {
    expect(() => urlOf('two', { v: '.', w: '.' })).toThrow(/would lead elsewhere/)
    expect(() => urlOf('two', { v: 'a%2', w: 'f..%2fb' })).toThrow(/would lead elsewhere/)
  })

  test('of any value keeps origin and prefix, or nothing is sent', () => {
    const bits = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      '%',
      '2e',
      '2f',
      '%2e',
      '%2F',
      '%25',
      ';',
      '?',
      '#',
      '@',
      ':',
      'a',
      'é',
      '．',
      '\u200b',
      '\t',
      ' ',
    )
    const texts = fc.oneof(
      fc.array(bits, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    fc.assert(
      fc.property(texts, (v) => {
        let url: string
        try {
          url = urlOf('plain', { v })
        } catch (error) {
          return (error as { code?: string }).code === 'TOOL_INVALID_FIELD_VALUE'
        }
        const { origin, pathname, search, hash } = new URL(url)
        const segments = pathname.split('/')
        return (
          origin === 'https://api.example' &&
          segments.length === 6 &&
          pathname.startsWith('/tenants/7/p5/') &&
          segments[5] === 'z' &&
          search === '' &&
          hash === ''
        )
      }),
      { numRuns: 2_000 },
    )
  })

  test('keeps harmless values', () => {
    expect(urlOf('plain', { v: 'heads/feature-1.2' })).toBe(
      'https://api.example/tenants/7/p5/heads%2Ffeature-1.2/z',
    )
    expect(urlOf('plain', { v: '100% é' })).toBe(
      'https://api.example/tenants/7/p5/100%25%20%C3%A9/z',
    )
  })
})
