import { expect, test } from 'vitest'
import type { Approval } from './approval.ts'
import { PROTOCOL_VERSION, toEnvelope } from './envelope.ts'
import type { CallFacts, Outcome } from './outcome.ts'
import { ToolError } from './tool-error.ts'

const facts: CallFacts = {
  callId: 'call_1',
  tool: 'booking.book',
  title: 'Book a slot',
  category: 'integration',
  schemaVersion: '1.2.0',
  permissionsUsed: ['booking.write'],
  durationMs: 1250,
  validationMs: 2,
  notes: [],
}
const metadata = {
  version: '2.0.0',
  execution_time: 1.25,
  call_id: 'call_1',
  tool_info: { name: 'Book a slot', category: 'integration', permissions_used: ['booking.write'] },
  input_validation: { schema_version: '1.2.0', validation_time: 2 },
}
const done = {
  facts,
  status: 'done',
  source: 'executed',
  degraded: false,
  warnings: [],
  originalCallId: undefined,
} as const
const failed = { facts, status: 'failed', source: 'executed', originalCallId: undefined } as const

test('the protocol is at 2.0.0', () => {
  expect(PROTOCOL_VERSION).toBe('2.0.0')
})

test('a call that was done is a success with its data', () => {
  expect(toEnvelope({ ...done, data: { confirmation: 'c1' } })).toStrictEqual({
    status: 'success',
    command: 'booking.book',
    data: { confirmation: 'c1' },
    metadata: { ...metadata, outcome: 'done', source: 'executed' },
  })
})

test('a protocol with a name of its own for a tool finds it in the command', () => {
  expect(
    toEnvelope({ ...done, facts: { ...facts, command: 'explain.task' }, data: 1 }).command,
  ).toBe('explain.task')
})

test('a replayed answer names the call that made it', () => {
  const { metadata: reported } = toEnvelope({
    ...done,
    data: 1,
    source: 'replayed',
    originalCallId: 'call_0',
  })
  expect(reported).toStrictEqual({
    ...metadata,
    outcome: 'done',
    source: 'replayed',
    original_call_id: 'call_0',
  })
})

test('a stand-in says that it is one, and what failed', () => {
  const { metadata: reported } = toEnvelope({
    ...done,
    data: [],
    source: 'fallback',
    degraded: true,
    warnings: ['This is a stand-in.'],
  })
  expect(reported).toStrictEqual({
    ...metadata,
    outcome: 'done',
    source: 'fallback',
    degraded: true,
    warnings: ['This is a stand-in.'],
  })
})

test('an accepted job is a success without data, with the id of the job', () => {
  expect(toEnvelope({ facts, status: 'accepted', jobId: 'call_1' })).toStrictEqual({
    status: 'success',
    command: 'booking.book',
    data: null,
    metadata: { ...metadata, outcome: 'accepted', job: { id: 'call_1' } },
  })
})

const approval = {
  id: 'appr_1',
  toolId: 'booking.book',
  asks: 'Book slot s1?',
  shown: '{}',
  expiresAt: Date.parse('2026-01-15T08:15:00Z'),
} as Approval
const pending: Outcome = { facts, status: 'pending', approval }

test('a call that waits for an approval has failed so far, and says that nothing has been done', () => {
  expect(toEnvelope(pending)).toStrictEqual({
    status: 'failed',
    command: 'booking.book',
    data: null,
    error: {
      code: 'TOOL_APPROVAL_REQUIRED',
      message: expect.stringMatching(/^Nothing has been done yet/),
      recovery_suggestions: [
        expect.stringMatching(/do not say that it is done/),
        expect.stringMatching(/call_id/),
      ],
    },
    metadata: {
      ...metadata,
      outcome: 'pending',
      pending: {
        approval_id: 'appr_1',
        asks: 'Book slot s1?',
        expires_at: '2026-01-15T08:15:00.000Z',
      },
    },
  })
})

test('a call that is asked about again says so, with at most ten of the changes', () => {
  const changed = Array.from({ length: 12 }, (_, n) => ({ path: `lines[${n}]`, before: n }))
  const shown = JSON.stringify({ facts: {}, facts_hash: 'h', changed, asked_before: 1 })
  const { error, metadata } = toEnvelope({ ...pending, approval: { ...approval, shown } })
  expect(error?.message).toMatch(
    /^Nothing has been done yet: it was approved, but .* approve .* again/,
  )
  expect(metadata.pending?.changed).toEqual(changed.slice(0, 10))
})

test('where there is a decision page, a pending call links to it', () => {
  const envelope = toEnvelope(pending, {
    approvalUrl: (id) => `https://console.example/approvals/${id}`,
  })
  expect(envelope.metadata.pending?.url).toBe('https://console.example/approvals/appr_1')
})

test('a refusal has failed, with code, message, details and what to do', () => {
  const error = new ToolError('TOOL_INVALID_FIELD_VALUE', 'Too many seats.', {
    details: { max: 4 },
    suggestions: ['Take 4.'],
  })
  expect(toEnvelope({ ...failed, error })).toStrictEqual({
    status: 'failed',
    command: 'booking.book',
    data: null,
    error: {
      code: 'TOOL_INVALID_FIELD_VALUE',
      message: 'Too many seats.',
      details: { max: 4 },
      recovery_suggestions: ['Take 4.'],
    },
    metadata: { ...metadata, outcome: 'failed' },
  })
})

test('something that broke is an error, with the suggestions of the table', () => {
  expect(
    toEnvelope({ ...failed, error: new ToolError('TOOL_INTERNAL_ERROR', 'It broke.') }),
  ).toStrictEqual({
    status: 'error',
    command: 'booking.book',
    data: null,
    error: {
      code: 'TOOL_INTERNAL_ERROR',
      message: 'It broke.',
      recovery_suggestions: ['Tell the administrator, with the call id.'],
    },
    metadata: { ...metadata, outcome: 'failed' },
  })
})

test('a tool whose output says "success: false" fills its data beside the error', () => {
  const error = new ToolError('TOOL_RESOURCE_NOT_FOUND', 'No such slot.', {
    data: { success: false },
  })
  expect(toEnvelope({ ...failed, error })).toMatchObject({
    status: 'failed',
    data: { success: false },
  })
})

test('a replayed failure names the call that failed', () => {
  const error = new ToolError('TOOL_RESOURCE_NOT_FOUND', 'No such slot.')
  const { metadata: reported } = toEnvelope({
    ...failed,
    error,
    source: 'replayed',
    originalCallId: 'call_0',
  })
  expect(reported).toStrictEqual({
    ...metadata,
    outcome: 'failed',
    source: 'replayed',
    original_call_id: 'call_0',
  })
})

test('an envelope is plain JSON', () => {
  const outcomes: Outcome[] = [
    pending,
    { ...done, data: null },
    { ...failed, error: new ToolError('TOOL_CANCELLED', 'Gone.') },
  ]
  for (const outcome of outcomes)
    expect(JSON.parse(JSON.stringify(toEnvelope(outcome)))).toStrictEqual(toEnvelope(outcome))
})

test('a run that waits at one of its steps does not say that nothing has been done', () => {
  const atStep =
    pending.status === 'pending'
      ? { ...pending, facts: { ...pending.facts, tool: 'trips.plan' } }
      : pending
  expect(toEnvelope(atStep).error?.message).toMatch(
    /^trips\.plan is not done: it waits at one of its steps/,
  )
})

test('the outcome tells apart what a program does next about a failure', () => {
  const outcomeOf = (code: ConstructorParameters<typeof ToolError>[0]) =>
    toEnvelope({ ...failed, error: new ToolError(code, 'No.') }).metadata.outcome
  expect(outcomeOf('TOOL_APPROVAL_DENIED')).toBe('denied')
  expect(outcomeOf('TOOL_CANCELLED')).toBe('cancelled')
  expect(outcomeOf('TOOL_OUTCOME_UNKNOWN')).toBe('unknown')
  expect(outcomeOf('TOOL_EXECUTION_TIMEOUT')).toBe('failed')
})

test('an error about an earlier call names the way to its answer that the surface has', () => {
  const error = new ToolError('TOOL_POSSIBLE_DUPLICATE', 'A moment ago.', {
    details: { earlier_call_id: 'call_0' },
    suggestions: [],
  })
  const suggestionsOf = (options = {}) =>
    toEnvelope({ ...failed, error }, options).error?.recovery_suggestions?.[0]
  expect(suggestionsOf()).toContain('surehand.result')
  expect(suggestionsOf({ fetchAnswer: (id: string) => `GET /v1/calls/${id}` })).toBe(
    'Fetch the answer of the earlier call with GET /v1/calls/call_0.',
  )
})
