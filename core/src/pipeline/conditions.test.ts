import { type FakeClock, fakeClock } from '@surehand/conformance'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller, Condition, Grant } from '../call/caller.ts'
import { type Envelope, toEnvelope } from '../call/envelope.ts'
import type { Contract } from '../define/contract.ts'
import { definePack } from '../define/pack.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { Runtime } from '../runtime/runtime.ts'

type Input = { readonly page: number }
type Output = { readonly page: number; readonly scope: string }

const reader: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  session: 's1',
}
const admin: Caller = { ...reader, principal: 'root', roles: ['admin'] }

let clock: FakeClock

beforeEach(() => {
  clock = fakeClock(Date.parse('2026-03-02T10:00:00Z'))
})

function open(contract: Partial<Contract<Input, Output, Record<never, never>>>): Runtime {
  const tool = defineTool({
    id: 'report.read',
    title: 'Read a report',
    category: 'data_analysis',
    description: 'Reads one page of a report.',
    input: z.object({ page: z.number().int() }),
    output: z.object({ page: z.number(), scope: z.string() }),
    contract: { effect: 'read', ...contract } as Contract<Input, Output, Record<never, never>>,
    execute: async ({ input, scopeOf }) => ({ page: input.page, scope: scopeOf('report.read') }),
  })
  return createRuntime({
    packs: [definePack({ name: 'reports', tools: [tool] })],
    stores: memoryStores({ clock }),
    clock,
  })
}

const call = async (runtime: Runtime, caller: Caller, page = 1): Promise<Envelope> =>
  toEnvelope(await runtime.call({ tool: 'report.read', input: { page }, caller, surface: 'test' }))
const holding = (...capabilities: readonly (string | Grant)[]): Caller => ({
  ...reader,
  capabilities,
})
const needs = (...conditions: readonly Condition[]) => ({
  permissions: { capabilities: [{ name: 'report.read', conditions }] },
})

describe('a condition on a capability', () => {
  test('on the time of day refuses the tool outside of it, and says when it is available', async () => {
    const runtime = open(
      needs({ type: 'time_restriction', parameters: { start: '08:00', end: '11:00' } }),
    )
    expect((await call(runtime, holding('report.read'))).status).toBe('success')
    await clock.advance(2 * 3_600_000)
    expect(await call(runtime, holding('report.read'))).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INSUFFICIENT_PERMISSIONS', message: expect.stringContaining('08:00') },
    })
  })

  test('on the rate counts like any limit', async () => {
    const runtime = open(needs({ type: 'rate_limit', parameters: { max_calls: 2, per: 'minute' } }))
    const answers = [
      await call(runtime, holding('report.read')),
      await call(runtime, holding('report.read')),
      await call(runtime, holding('report.read')),
    ]
    expect(answers.map(({ status, error }) => error?.code ?? status)).toEqual([
      'success',
      'success',
      'TOOL_RATE_LIMIT_EXCEEDED',
    ])
  })

  test('on consent makes even a read wait for its person, and the answer is fetched by call id', async () => {
    const runtime = open(needs({ type: 'user_consent', parameters: {} }))
    const caller = holding('report.read')
    const asked = await runtime.call({
      tool: 'report.read',
      input: { page: 7 },
      caller,
      surface: 'test',
    })
    if (asked.status !== 'pending') throw new Error(asked.status)
    expect(asked.approval.kind).toBe('consent')
    await runtime.approvals.decide(caller, asked.approval.id, {
      verdict: 'approve',
      digest: asked.approval.digest,
    })
    const answer = await runtime.answer(caller, asked.approval.callId)
    expect(answer === undefined ? undefined : toEnvelope(answer)).toMatchObject({
      status: 'success',
      data: { page: 7 },
    })
  })

  test("on an administrator's approval is not met by the person's own approval", async () => {
    const runtime = open(needs({ type: 'admin_approval', parameters: {} }))
    const caller = holding('report.read')
    const asked = await runtime.call({
      tool: 'report.read',
      input: { page: 7 },
      caller,
      surface: 'test',
    })
    if (asked.status !== 'pending') throw new Error(asked.status)
    const yes = { verdict: 'approve', digest: asked.approval.digest } as const
    await expect(runtime.approvals.decide(caller, asked.approval.id, yes)).rejects.toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    })
    await expect(runtime.approvals.decide(admin, asked.approval.id, yes)).resolves.toMatchObject({
      state: 'approved',
    })
  })
})

describe('a grant of the caller', () => {
  test('has its own conditions, unless the caller holds a better grant', async () => {
    const runtime = open({ permissions: { capabilities: ['report.read'] } })
    const limited: Grant = {
      name: 'report.*',
      conditions: [{ type: 'rate_limit', parameters: { max_calls: 1, per: 'hour' } }],
    }
    await call(runtime, holding(limited))
    expect((await call(runtime, holding(limited))).error?.code).toBe('TOOL_RATE_LIMIT_EXCEEDED')
    expect((await call(runtime, holding(limited, 'report.read'))).status).toBe('success')
  })

  test('decides whose data the tool acts on', async () => {
    const runtime = open({ permissions: { capabilities: ['report.read'] } })
    expect((await call(runtime, holding({ name: 'report.read', scope: 'owned' }))).data).toEqual({
      page: 1,
      scope: 'owned',
    })
  })

  test('with a narrower scope never gets the cached answer of a wider one', async () => {
    const runtime = open({
      permissions: { capabilities: ['report.read'] },
      cache: { ttl: '1h', shared: true },
    })
    expect((await call(runtime, holding('report.read'))).data).toEqual({ page: 1, scope: 'all' })
    expect((await call(runtime, holding({ name: 'report.read', scope: 'self' }))).data).toEqual({
      page: 1,
      scope: 'self',
    })
  })
})

test('a rule over the input refuses what it does not allow, and nothing is read', async () => {
  const runtime = open({
    permissions: {
      capabilities: ['report.read'],
      when: { attribute: 'input.page', op: 'lte', value: 3 },
    },
  })
  expect((await call(runtime, holding('report.read'), 3)).status).toBe('success')
  expect((await call(runtime, holding('report.read'), 4)).status).toBe('failed')
})

test('an advisory check lets the call pass and warns what it would have refused', async () => {
  const runtime = open({
    permissions: { roles: ['auditor'], capabilities: ['report.read'] },
    permissionCheck: 'advisory',
  })
  const answer = await call(runtime, holding('report.read'))
  expect([answer.status, answer.metadata.warnings]).toEqual([
    'success',
    [expect.stringContaining('permissions are advisory')],
  ])
})
