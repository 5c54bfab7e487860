import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { ANONYMOUS } from '../call/caller.ts'
import { toEnvelope } from '../call/envelope.ts'
import { definePort, sameKey } from '../define/port.ts'
import { defineTool } from '../define/tool.ts'
import { modelText } from '../host/model-text.ts'
import { createRuntime } from './create-runtime.ts'

const lookUp = async (city: string) => city.length // yours

const weather = defineTool({
  id: 'weather.today',
  description: 'The weather in a city today.',
  input: z.object({ city: z.string() }),
  output: z.object({ celsius: z.number() }),
  contract: { effect: 'read', timeout: '2s', cache: '10m' },
  execute: async ({ input }) => ({ celsius: await lookUp(input.city) }),
})

describe('the minimal tool', () => {
  test('runs with memory stores and without a pack, and its output is typed', async () => {
    const runtime = createRuntime({ tools: [weather] })
    const answer = await runtime.as({ principal: 'ann' }).call(weather, { city: 'Lisbon' })
    if (answer.status !== 'done') throw new Error(answer.status)
    expectTypeOf(answer.data).toEqualTypeOf<{ celsius: number }>()
    expect(answer.data).toEqual({ celsius: 6 })
  })

  test('is called by its name as well, and then its output is unknown', async () => {
    const runtime = createRuntime({ tools: [weather] })
    const answer = await runtime.as(ANONYMOUS).call('weather.today', { city: 'Rome' })
    if (answer.status !== 'done') throw new Error(answer.status)
    expectTypeOf(answer.data).toBeUnknown()
    expect(answer.data).toEqual({ celsius: 4 })
  })

  test('a caller that only names its principal is a user of the default tenant without roles', () => {
    expect(createRuntime({ tools: [] }).as({ principal: 'ann' }).caller).toEqual({
      tenant: 'default',
      principal: 'ann',
      actor: 'user',
      roles: [],
      capabilities: [],
    })
  })
})

describe('an unexpected exception', () => {
  const SECRET = 'postgres://surehand:hunter2@db:5432'
  const payments = definePort<{ charge: (args: object) => Promise<null> }>('payments', {
    charge: sameKey({ validFor: '1d' }),
  })
  const fail = async (): Promise<null> => {
    throw new Error(`cannot connect to ${SECRET}`)
  }
  const tools = {
    read: defineTool({
      id: 'shop.read',
      description: 'Reads.',
      input: z.object({}),
      output: z.null(),
      contract: { effect: 'read', retries: 1 },
      execute: fail,
    }),
    write: defineTool({
      id: 'shop.pay',
      description: 'Pays.',
      input: z.object({}),
      output: z.null(),
      contract: { effect: 'writes.payment', reversible: true, idempotency: 'caller' },
      ports: { payments },
      execute: ({ ports }) => ports.payments.charge({}),
    }),
    run: defineTool({
      id: 'shop.buy',
      description: 'Buys.',
      input: z.object({}),
      output: z.null(),
      contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
      kind: 'composite',
      execute: fail,
    }),
  }

  test.each(['read', 'write', 'run'] as const)(
    'of a %s goes to the log, and only its code and the call id to the caller',
    async (kind) => {
      const logged: [unknown, string][] = []
      const runtime = createRuntime({
        tools: Object.values(tools),
        providers: { payments: { charge: fail } },
        onUnexpectedError: (error, callId) => logged.push([error, callId]),
      })
      const outcome = await runtime.as({ principal: 'ann' }).call(tools[kind].id, {})
      const envelope = toEnvelope(outcome)
      expect(envelope.error?.code).toBe('TOOL_INTERNAL_ERROR')
      expect(JSON.stringify(envelope)).not.toContain('hunter2')
      expect(modelText(envelope)).toContain(outcome.facts.callId)
      expect(logged).toEqual([
        [expect.objectContaining({ message: `cannot connect to ${SECRET}` }), outcome.facts.callId],
      ])
      expect(
        JSON.stringify(
          (await runtime.answer(runtime.as({ principal: 'ann' }).caller, outcome.facts.callId)) ??
            '',
        ),
      ).not.toContain('hunter2')
    },
  )
})

test('a limit of one call is in the singular', async () => {
  const once = defineTool({
    id: 'shop.once',
    description: 'Once.',
    input: z.object({}),
    output: z.null(),
    contract: { effect: 'read', limits: [{ calls: 1, per: '60s' }] },
    execute: async () => null,
  })
  const ann = createRuntime({ tools: [once] }).as({ principal: 'ann' })
  await ann.call(once, {})
  expect(await ann.call(once, {})).toMatchObject({
    error: { message: 'shop.once allows 1 call in 60 s.' },
  })
})
