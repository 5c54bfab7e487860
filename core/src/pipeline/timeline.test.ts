import { expect, test } from 'vitest'
import { z } from 'zod'
import { ToolError } from '../call/tool-error.ts'
import { definePort, sameKey } from '../define/port.ts'
import { sensitive } from '../define/sensitive.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { systemClock } from '../ports/clock.ts'
import type { CallTrace } from '../ports/traces.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

type Bank = {
  readonly balance: (account: string) => Promise<number>
  readonly send: (order: unknown) => Promise<string>
}
const bank = definePort<Bank>('bank', { balance: 'read', send: sameKey({ validFor: '1d' }) })

const pay = defineTool({
  id: 'bank.pay',
  title: 'Pay',
  category: 'custom',
  description: 'Pays.',
  input: z.object({ to: z.string(), pin: sensitive(z.string()) }),
  output: z.string(),
  contract: { effect: 'writes.payment', reversible: true, idempotency: 'caller', retries: 2 },
  ports: { bank },
  execute: async ({ input, ports }) => {
    await ports.bank.balance(input.to)
    return ports.bank.send({ to: input.to })
  },
})

function openBank({ failures = 0, clock = systemClock() } = {}) {
  const traces: CallTrace[] = []
  let left = failures
  const runtime = createRuntime({
    tools: [pay],
    clock,
    stores: {
      ...memoryStores(),
      traces: { append: (trace) => traces.push(trace), list: () => traces },
    },
    providers: {
      bank: {
        balance: async () => 5,
        send: async () => {
          if (left-- > 0)
            throw new ToolError(
              'TOOL_RESOURCE_UNAVAILABLE',
              'The bank with the PIN 98765 sleeps.',
              {
                effect: 'none',
                details: { retry_after_ms: 0 },
              },
            )
          return 'sent'
        },
      },
    },
  })
  const call = (input: object, key = 'order-1') =>
    runtime.as({ principal: 'ann' }).call('bank.pay', input, { idempotencyKey: key })
  return { traces, call }
}

test('a call is stored with the times of its stages, attempts and requests, without secrets', async () => {
  const { traces, call } = openBank({ failures: 1 })
  const outcome = await call({ to: 'bob', pin: '98765' })
  expect(outcome.status).toBe('done')
  const [trace] = traces
  expect(trace).toMatchObject({
    call_id: outcome.facts.callId,
    principal: 'ann',
    tool_name: 'bank.pay',
    key: 'order-1',
    input: '{"pin":"[hidden]","to":"bob"}',
    outcome: 'done',
    attempts: [
      { code: 'TOOL_RESOURCE_UNAVAILABLE', reason: 'The bank with the PIN [hidden] sleeps.' },
      { code: '', reason: '' },
    ],
    requests: [
      { port: 'bank', method: 'balance', code: '' },
      { port: 'bank', method: 'send', code: 'TOOL_RESOURCE_UNAVAILABLE' },
      { port: 'bank', method: 'balance', code: '' },
      { port: 'bank', method: 'send', code: '' },
    ],
  })
  expect(trace?.stages.map(({ stage, outcome: how }) => `${stage} ${how}`)).toEqual([
    'resolve passed',
    'validate passed',
    'authorize passed',
    'replay passed',
    'recall passed',
    'admit passed',
    'approve passed',
    'defer passed',
    'perform answered',
  ])
  for (const { at_ms, duration_ms } of trace?.stages ?? []) {
    expect(at_ms).toBeGreaterThanOrEqual(0)
    expect(at_ms + duration_ms).toBeLessThanOrEqual((trace?.duration_ms ?? 0) + 0.1)
  }
  expect(JSON.stringify(traces)).not.toContain('98765')
})

test('a refused input is not stored, and ends in the stage that refused it', async () => {
  const { traces, call } = openBank()
  await call({ to: 7, pin: '98765' })
  expect(traces).toMatchObject([
    {
      input: '',
      key: '',
      outcome: 'failed',
      stages: [{ stage: 'resolve' }, { stage: 'validate', outcome: 'refused' }],
      attempts: [],
    },
  ])
})

test('of a second, a limited number of calls is stored, and the others are answered alike', async () => {
  const { traces, call } = openBank({ clock: { ...systemClock(), ticks: () => 0 } })
  const calls = Array.from({ length: 450 }, (_, number) =>
    call({ to: 'bob', pin: '98765' }, `order-${number}`),
  )
  const outcomes = await Promise.all(calls)
  expect(outcomes.filter(({ status }) => status === 'done')).toHaveLength(450)
  expect(traces).toHaveLength(100)
})
