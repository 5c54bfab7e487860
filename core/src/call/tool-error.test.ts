import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ERRORS, type ToolErrorCode } from './errors.ts'
import {
  isToolError,
  isUnexpected,
  recoveryInfo,
  suggestionsOf,
  ToolError,
  toToolError,
  traceOf,
} from './tool-error.ts'

const codes = Object.keys(ERRORS) as ToolErrorCode[]

/** What another copy of this package in the same process throws. */
function foreignError(code: string): Error {
  return Object.assign(new Error('from another bundle'), {
    code,
    data: null,
    [Symbol.for('surehand.ToolError')]: true,
  })
}

describe('any thrown value becomes an error of the table', () => {
  test('an error of the table stays what it is', () => {
    const error = new ToolError('TOOL_GATE_CLOSED', 'Closed.')
    expect(toToolError(error)).toBe(error)
  })

  test('so does one of another bundle, known by its brand', () => {
    const error = foreignError('TOOL_GATE_CLOSED')
    expect(error).not.toBeInstanceOf(ToolError)
    expect(isToolError(error)).toBe(true)
    expect(toToolError(error)).toBe(error)
  })

  test.each([
    ['an Error', new TypeError('x is undefined')],
    ['a text', 'postgres://surehand:hunter2@db:5432 refused'],
    ['null', null],
    ['undefined', undefined],
  ])('%s is unexpected: its text stays in the cause', (_what, thrown) => {
    const error = toToolError(thrown)
    expect(error).toMatchObject({
      code: 'TOOL_INTERNAL_ERROR',
      message: 'An unexpected error occurred.',
    })
    expect(isUnexpected(error)).toBe(true)
    expect(error.cause).toBe(thrown)
  })

  test('an aborted signal is a cancellation', () => {
    expect(toToolError(AbortSignal.abort().reason).code).toBe('TOOL_CANCELLED')
    expect(toToolError(Object.assign(new Error('stop'), { name: 'AbortError' })).code).toBe(
      'TOOL_CANCELLED',
    )
  })

  test('an object with nothing but a code is none of ours', () => {
    expect(toToolError({ code: 'TOOL_GATE_CLOSED' }).code).toBe('TOOL_INTERNAL_ERROR')
  })

  test('a value that cannot be converted to text is still a ToolError', () => {
    const mute = { toString: () => mute }
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
        (value) => {
          expect(isToolError(toToolError(value))).toBe(true)
        },
      ),
      { examples: [[mute], [Object.create(null)]] },
    )
  })
})

describe('recovery', () => {
  test.each(codes)('of %s says what a program and a person can do', (code) => {
    const info = recoveryInfo(new ToolError(code, 'Trouble.'))
    expect(info).toEqual({
      error_code: code,
      is_recoverable: expect.any(Boolean),
      recovery_strategies: ERRORS[code].strategies,
      user_actions: ERRORS[code].actions,
    })
  })

  test('of what may be retried, corrected or decided is possible; of a bug it is not', () => {
    for (const code of [
      'TOOL_NETWORK_ERROR',
      'TOOL_INVALID_FIELD_TYPE',
      'TOOL_APPROVAL_REQUIRED',
    ] as const)
      expect(recoveryInfo(new ToolError(code, 'Trouble.')).is_recoverable).toBe(true)
    expect(recoveryInfo(new Error('bug')).is_recoverable).toBe(false)
  })

  test.each([new RangeError('bug'), 'boom', 17, null, undefined, Symbol('s')])(
    'of %s, which somebody threw, is that of a bug',
    (thrown) => {
      expect(recoveryInfo(thrown).error_code).toBe('TOOL_INTERNAL_ERROR')
    },
  )

  test('of a code that only a newer bundle knows is answered as for a bug', () => {
    const { recovery_strategies, user_actions, is_recoverable } = recoveryInfo(new Error('bug'))
    expect(recoveryInfo(foreignError('TOOL_FROM_THE_FUTURE'))).toMatchObject({
      recovery_strategies,
      user_actions,
      is_recoverable,
    })
  })
})

describe('what an error says about the effect', () => {
  test("is the error's own word first", () => {
    expect(traceOf(new ToolError('TOOL_INTERNAL_ERROR', 'x', { effect: 'none' }))).toBe('none')
    expect(traceOf(new ToolError('TOOL_RESOURCE_NOT_FOUND', 'x', { effect: 'possible' }))).toBe(
      'possible',
    )
  })

  test.each([
    ['TOOL_API_KEY_INVALID', 'none'],
    ['TOOL_RATE_LIMIT_EXCEEDED', 'none'],
    ['TOOL_RESOURCE_ACCESS_DENIED', 'none'],
    ['TOOL_GATE_CLOSED', 'none'],
    ['TOOL_CONFIGURATION_ERROR', 'none'],
    ['TOOL_INVALID_FIELD_VALUE', 'refused'],
    ['TOOL_RESOURCE_NOT_FOUND', 'refused'],
    ['TOOL_RESOURCE_ALREADY_EXISTS', 'refused'],
    ['TOOL_EXTERNAL_SERVICE_ERROR', 'possible'],
    ['TOOL_EXECUTION_TIMEOUT', 'possible'],
    ['TOOL_NETWORK_ERROR', 'possible'],
    ['TOOL_INTERNAL_ERROR', 'possible'],
    ['TOOL_CANCELLED', 'possible'],
  ] as const)('of %s is otherwise "%s"', (code, trace) => {
    expect(traceOf(new ToolError(code, 'Trouble.'))).toBe(trace)
  })

  test('is never "nothing happened" for a failure that nobody foresaw', () => {
    fc.assert(
      fc.property(fc.string(), (message) => {
        expect(traceOf(toToolError(new Error(message)))).toBe('possible')
      }),
    )
  })
})

test("an error's own suggestions stand before those of the table", () => {
  expect(
    suggestionsOf(new ToolError('TOOL_NOT_FOUND', 'x', { suggestions: ['Look again.'] })),
  ).toEqual(['Look again.'])
  expect(suggestionsOf(new ToolError('TOOL_NOT_FOUND', 'x'))).toEqual([
    'Look up the tool by what it does and use its id.',
  ])
})

test('an error without data carries null', () => {
  expect(new ToolError('TOOL_NOT_FOUND', 'x').data).toBeNull()
  expect(new ToolError('TOOL_NOT_FOUND', 'x', { data: { success: false } }).data).toEqual({
    success: false,
  })
})
