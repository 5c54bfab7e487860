import { fakeClock, settle } from '@surehand/conformance'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { CallRequest } from '../call/request.ts'
import { defineTool } from '../define/tool.ts'
import type { LateResult } from '../ledger/finish-call.ts'
import { systemEntropy } from '../ports/entropy.ts'
import { hostAdministration } from '../registry/administration.ts'
import { createRegistry } from '../registry/registry.ts'
import { type Attempt, attempt } from './attempt.ts'
import type { PipelineContext } from './context.ts'
import { bindProviders } from './providers.ts'
import { startCall } from './run.ts'
import { validate } from './validate.ts'

const tool = defineTool({
  id: 'site.read',
  title: 'Read',
  category: 'custom',
  description: 'Reads.',
  input: z.object({}),
  output: z.null(),
  contract: { effect: 'read', timeout: '1s' },
  execute: async () => null,
})

function world(asked: Partial<CallRequest> = {}) {
  const clock = fakeClock()
  const registry = createRegistry([tool])
  const context = {
    clock,
    registry,
    registryOf: () => registry,
    entropy: systemEntropy(),
    providers: bindProviders([tool], {}, { clock }),
    telemetry: undefined,
    administration: hostAdministration(() => undefined),
  } as unknown as PipelineContext
  const caller = {
    tenant: 't',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  const request = { tool: tool.id, input: {}, caller, surface: 'test', ...asked }
  const call = validate({ start: startCall(request, context), request, tool }, context)
  const late: LateResult[] = []
  /** Starts an attempt and remembers how it ended, so that nothing is left unhandled. */
  function start(work: (current: Attempt) => Promise<unknown>) {
    const ended = attempt(call, context, work, (one) => late.push(one)).then(
      (value) => ({ value }),
      (error) => ({ error }),
    )
    let outcome: unknown = 'still running'
    void ended.then((end) => {
      outcome = end
    })
    return { ended, outcome: () => outcome }
  }
  return { clock, start, late }
}

const forever = () => new Promise<never>(() => undefined)
const timeout = { error: expect.objectContaining({ code: 'TOOL_EXECUTION_TIMEOUT' }) }
const cancellation = { error: expect.objectContaining({ code: 'TOOL_CANCELLED' }) }

describe('an attempt', () => {
  test('returns what its work returns', async () => {
    expect(await world().start(async () => 'done').ended).toEqual({ value: 'done' })
  })

  test('fails as its work fails', async () => {
    const error = new Error('no')
    expect(await world().start(() => Promise.reject(error)).ended).toEqual({ error })
  })

  test('fails as well when its work throws synchronously', async () => {
    const error = new Error('no')
    const work = () => {
      throw error
    }
    expect(await world().start(work).ended).toEqual({ error })
  })

  test('leaves no timer behind', async () => {
    const { clock, start } = world()
    await start(async () => 'done').ended
    expect(clock.nextDue()).toBeUndefined()
  })
})

describe('the deadline is hard', () => {
  test('a caller is answered at the timeout even if the work ignores its signal', async () => {
    const { clock, start } = world()
    const { outcome } = start(forever)
    await clock.advance(999)
    expect(outcome()).toBe('still running')
    await clock.advance(1)
    expect(outcome()).toEqual(timeout)
  })

  test("the caller's deadline comes before the timeout", async () => {
    const { clock, start } = world({ withinMs: 300 })
    const { outcome } = start(forever)
    await clock.advance(300)
    expect(outcome()).toEqual(timeout)
  })

  test('without time left the work does not start', async () => {
    const { clock, start } = world({ withinMs: 300 })
    await clock.advance(300)
    const work = vi.fn(forever)
    const { outcome } = start(work)
    await clock.advance(1)
    expect(outcome()).toEqual(timeout)
    expect(work).not.toHaveBeenCalled()
  })

  test('the reason of the signal is the error', async () => {
    const { clock, start } = world()
    let signal: AbortSignal | undefined
    start((current) => {
      signal = current.signal
      return forever()
    })
    await clock.advance(1_000)
    expect(signal?.reason).toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT' })
  })

  test('a signal that is first read after the end is aborted already', async () => {
    const { clock, start } = world()
    let current: Attempt | undefined
    start((own) => {
      current = own
      return forever()
    })
    await clock.advance(1_000)
    expect(current?.signal.aborted).toBe(true)
  })
})

describe('a late result', () => {
  test.each([
    ['a result', () => Promise.resolve('late'), { ok: true, value: 'late' }],
    [
      'a failure',
      () => Promise.reject(new Error('late')),
      { ok: false, error: expect.objectContaining({ code: 'TOOL_INTERNAL_ERROR' }) },
    ],
  ])('is passed to `onLate` and changes nothing: %s', async (_what, bring, expected) => {
    const { clock, start, late } = world()
    const { outcome } = start(async () => {
      await new Promise<void>((resolve) => clock.after(5_000, resolve))
      return bring()
    })
    await clock.advance(5_000)
    expect(late).toEqual([expected])
    expect(outcome()).toEqual(timeout)
  })
})

describe('a caller who disconnects', () => {
  test('is answered at once, and the signal of the work is aborted', async () => {
    const leaving = new AbortController()
    const { start } = world({ signal: leaving.signal })
    let signal: AbortSignal | undefined
    const { outcome } = start((current) => {
      signal = current.signal
      return forever()
    })
    leaving.abort()
    await settle()
    expect(outcome()).toEqual(cancellation)
    expect(signal?.aborted).toBe(true)
  })

  test('before the start prevents it', async () => {
    const { start } = world({ signal: AbortSignal.abort() })
    const work = vi.fn(forever)
    const { outcome } = start(work)
    await settle()
    expect(outcome()).toEqual(cancellation)
    expect(work).not.toHaveBeenCalled()
  })

  test('does not stop an effect under way', async () => {
    const leaving = new AbortController()
    const { clock, start } = world({ signal: leaving.signal })
    const { ended } = start(async (current) => {
      current.committed = true
      await new Promise<void>((resolve) => clock.after(500, resolve))
      return 'booked'
    })
    leaving.abort()
    await clock.advance(500)
    expect(await ended).toEqual({ value: 'booked' })
  })

  test('leaves no timer behind that would later count as a timeout of the provider', async () => {
    const leaving = new AbortController()
    const { clock, start } = world({ signal: leaving.signal })
    start(forever)
    leaving.abort()
    await settle()
    expect(clock.nextDue()).toBeUndefined()
  })
})
