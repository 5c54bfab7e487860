import { type FakeClock, fakeClock, settle } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer, Outcome } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { definePack } from '../define/pack.ts'
import { defineTool } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { PipelineContext } from './context.ts'
import { type Flight, joinFlight } from './single-flight.ts'

const answer = { status: 'done', data: 'found' } as Answer
const cancellation = { code: 'TOOL_CANCELLED' }

function takeOff() {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  promise.catch(() => undefined)
  const flight: Flight = { answer: promise, waiting: 0, controller: new AbortController() }
  const context = { clock: fakeClock() } as unknown as PipelineContext
  return { flight, context, arrive: () => resolve(answer), crash: reject }
}

function passenger(signal?: AbortSignal) {
  return { tool: { id: 'site.search' }, signal, deadlineTicks: Number.MAX_SAFE_INTEGER } as Call
}

describe('callers who wait for one read', () => {
  test('all get its answer', async () => {
    const { flight, context, arrive } = takeOff()
    const waiting = [
      joinFlight(flight, passenger(), context),
      joinFlight(flight, passenger(), context),
    ]
    arrive()
    expect(await Promise.all(waiting)).toEqual([answer, answer])
  })

  test('all get its failure', async () => {
    const { flight, context, crash } = takeOff()
    const waiting = [
      joinFlight(flight, passenger(), context),
      joinFlight(flight, passenger(), context),
    ]
    const error = new ToolError('TOOL_NETWORK_ERROR', 'Down.')
    crash(error)
    for (const one of waiting) await expect(one).rejects.toBe(error)
  })

  test('may leave without ending it for the others', async () => {
    const { flight, context, arrive } = takeOff()
    const leaving = new AbortController()
    const left = joinFlight(flight, passenger(leaving.signal), context)
    const stayed = joinFlight(flight, passenger(), context)
    leaving.abort()
    await expect(left).rejects.toMatchObject(cancellation)
    expect(flight.controller.signal.aborted).toBe(false)
    arrive()
    expect(await stayed).toEqual(answer)
  })

  test('abort it when the last of them leaves', async () => {
    const { flight, context } = takeOff()
    const first = new AbortController()
    const second = new AbortController()
    const waiting = [
      joinFlight(flight, passenger(first.signal), context),
      joinFlight(flight, passenger(second.signal), context),
    ]
    first.abort()
    expect(flight.controller.signal.aborted).toBe(false)
    second.abort()
    expect(flight.controller.signal.aborted).toBe(true)
    for (const one of waiting) await expect(one).rejects.toMatchObject(cancellation)
  })

  test('do not abort it by joining after they had left', async () => {
    const { flight, context, arrive } = takeOff()
    const stayed = joinFlight(flight, passenger(), context)
    await expect(joinFlight(flight, passenger(AbortSignal.abort()), context)).rejects.toMatchObject(
      cancellation,
    )
    expect(flight.controller.signal.aborted).toBe(false)
    arrive()
    expect(await stayed).toEqual(answer)
  })
})

describe('in a runtime', () => {
  const TAKES_MS = 5_000
  const caller = {
    tenant: 't',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const

  function world() {
    const clock = fakeClock()
    let executed = 0
    const search = defineTool({
      id: 'site.search',
      title: 'Search',
      category: 'custom',
      description: 'Searches.',
      input: z.object({}),
      output: z.string(),
      contract: { effect: 'read', timeout: '8s', retries: 0, cache: { ttl: '1m' } },
      async execute() {
        executed++
        await new Promise<void>((resolve) => clock.after(TAKES_MS, resolve))
        return 'found'
      },
    })
    const runtime = createRuntime({
      packs: [definePack({ name: 'site', tools: [search] })],
      stores: memoryStores({ clock }),
      clock,
    })
    const ask = (options: { withinMs?: number; signal?: AbortSignal } = {}) =>
      watch(runtime.call({ tool: search, input: {}, caller, ...options }), clock)
    return { clock, ask, executed: () => executed }
  }

  function watch(call: Promise<Outcome>, clock: FakeClock) {
    const startedAt = clock.now()
    let end: { outcome: Outcome; afterMs: number } | undefined
    void call.then((outcome) => {
      end = { outcome, afterMs: clock.now() - startedAt }
    })
    return () => end
  }

  test('two callers at once cost one read', async () => {
    const { clock, ask, executed } = world()
    const first = ask()
    await settle()
    const second = ask()
    await clock.advance(TAKES_MS)
    expect([first()?.outcome.status, second()?.outcome.status]).toEqual(['done', 'done'])
    expect(executed()).toBe(1)
  })

  test('a caller who joins waits until its own deadline at most', async () => {
    const { clock, ask } = world()
    ask()
    await settle()
    const hurried = ask({ withinMs: 100 })
    await clock.advance(TAKES_MS)
    expect(hurried()).toMatchObject({
      afterMs: 100,
      outcome: { status: 'failed', error: { code: 'TOOL_EXECUTION_TIMEOUT' } },
    })
  })

  test("one caller's short deadline does not end the read for another", async () => {
    const { clock, ask } = world()
    const hurried = ask({ withinMs: 100 })
    await settle()
    const patient = ask()
    await clock.advance(TAKES_MS)
    expect(hurried()).toMatchObject({ afterMs: 100, outcome: { status: 'failed' } })
    expect(patient()?.outcome.status).toBe('done')
  })

  test("one caller's leaving does not end the read for another", async () => {
    const { clock, ask } = world()
    const leaving = new AbortController()
    const left = ask({ signal: leaving.signal })
    await settle()
    const stayed = ask()
    await settle()
    leaving.abort()
    await clock.advance(TAKES_MS)
    expect(left()).toMatchObject({ afterMs: 0, outcome: { status: 'failed', error: cancellation } })
    expect(stayed()?.outcome.status).toBe('done')
  })
})
