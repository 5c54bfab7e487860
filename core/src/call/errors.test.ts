import { describe, expect, test } from 'vitest'
import { ERRORS, errorRow, type ToolErrorCode } from './errors.ts'

// document 004, family by family, in its order
const document = {
  1000: [
    'INVALID_INPUT',
    'MISSING_REQUIRED_FIELD',
    'INVALID_FIELD_TYPE',
    'INVALID_FIELD_VALUE',
    'INPUT_TOO_LARGE',
  ],
  1100: [
    'INSUFFICIENT_PERMISSIONS',
    'ROLE_NOT_AUTHORIZED',
    'CAPABILITY_MISSING',
    'RESOURCE_ACCESS_DENIED',
    'RATE_LIMIT_EXCEEDED',
  ],
  1200: [
    'NOT_FOUND',
    'DEPRECATED',
    'TEMPORARILY_DISABLED',
    'EXECUTION_TIMEOUT',
    'RESOURCE_UNAVAILABLE',
  ],
  1300: ['RESOURCE_NOT_FOUND', 'RESOURCE_ALREADY_EXISTS', 'DATA_CORRUPTION', 'STORAGE_ERROR'],
  1400: ['EXTERNAL_SERVICE_ERROR', 'API_KEY_INVALID', 'NETWORK_ERROR'],
  1500: ['INTERNAL_ERROR', 'CONFIGURATION_ERROR', 'DEPENDENCY_ERROR'],
}
const own = [
  'APPROVAL_REQUIRED',
  'APPROVAL_DENIED',
  'IDEMPOTENCY_CONFLICT',
  'ALREADY_RUNNING',
  'POSSIBLE_DUPLICATE',
  'KEY_EXPIRED',
  'INSUFFICIENT_DATA',
  'INPUT_REQUIRED',
  'OUTCOME_UNKNOWN',
  'RUN_DIVERGED',
  'INVALID_OUTPUT',
  'GATE_CLOSED',
  'CANCELLED',
]
const documented = Object.entries(document).flatMap(([from, names]) =>
  names.map((name) => [`TOOL_${name}`, Number(from)] as const),
)
const rows = Object.entries(ERRORS)
const codes = Object.keys(ERRORS) as ToolErrorCode[]

test('the table has the 25 codes of the document, the 10 of the rules, those for pruned keys, open questions and too little data, and no other', () => {
  expect(documented).toHaveLength(25)
  expect(codes.toSorted()).toEqual(
    [...documented.map(([code]) => code), ...own.map((name) => `TOOL_${name}`)].toSorted(),
  )
})

test.each(documented)('%s is numbered within its family, from %d', (code, from) => {
  const { number } = errorRow(code as ToolErrorCode)
  expect(number).toBeGreaterThanOrEqual(from)
  expect(number).toBeLessThan(from + 100)
})

test('no two codes share a number', () => {
  expect(new Set(rows.map(([, row]) => row.number)).size).toBe(rows.length)
})

test('our own codes are numbered within the families too', () => {
  for (const code of codes)
    expect(Math.floor(errorRow(code).number / 100) * 100).toSatisfy(
      (family: number) => family in document,
    )
})

describe.each(codes)('%s', (code) => {
  const row = errorRow(code)

  test('has a status for HTTP and one for a shell', () => {
    expect(row.http === 202 || (row.http >= 400 && row.http < 600)).toBe(true)
    expect(row.exit).toBeGreaterThan(0)
    expect(row.exit).toBeLessThan(256)
  })

  test('tells a person what to do', () => {
    expect(row.actions.length).toBeGreaterThan(0)
    for (const action of row.actions) {
      expect(['retry', 'modify_input', 'check_permissions', 'contact_admin']).toContain(
        action.action_type,
      )
      expect(action.description).toMatch(/\.$/)
    }
  })

  test('names every strategy and what it affects', () => {
    for (const strategy of row.strategies) {
      expect(strategy).toEqual({
        strategy_id: expect.stringMatching(/^[a-z_]+$/),
        description: expect.stringMatching(/\.$/),
        automatic: expect.any(Boolean),
        side_effects: expect.any(Array),
      })
    }
  })

  test('that may be retried has a strategy which a program may follow by itself', () => {
    if (row.retryable) expect(row.strategies.some((strategy) => strategy.automatic)).toBe(true)
  })
})

test.each([
  ['TOOL_IDEMPOTENCY_CONFLICT', 422],
  ['TOOL_ALREADY_RUNNING', 409],
  ['TOOL_APPROVAL_REQUIRED', 202],
  ['TOOL_RATE_LIMIT_EXCEEDED', 429],
  ['TOOL_INPUT_TOO_LARGE', 413],
  ['TOOL_NOT_FOUND', 404],
] as const)('%s is %d over HTTP', (code, http) => {
  expect(errorRow(code).http).toBe(http)
})

test('what a bug, an unknown outcome or a wrong output left behind is never retried', () => {
  for (const code of [
    'TOOL_INTERNAL_ERROR',
    'TOOL_OUTCOME_UNKNOWN',
    'TOOL_INVALID_OUTPUT',
    'TOOL_RUN_DIVERGED',
  ] as const)
    expect(errorRow(code).retryable).toBe(false)
})
