import { fakeClock } from '@surehand/conformance'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ToolError } from '../call/tool-error.ts'
import { definePack } from '../define/pack.ts'
import { undoWith } from '../define/run.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import {
  about,
  ann,
  careful,
  code,
  composite,
  count,
  later,
  open,
  openShop,
  provider,
  put,
  run,
  shop,
  take,
  tools,
} from './fixtures/shop.ts'

beforeEach(openShop)

describe('a composite', () => {
  test('executes its steps once, also when it is called again', async () => {
    const runtime = open(
      composite(async ({ step }) => {
        const { n } = await step('count', count, {})
        const { id } = await step('put', put, { item: `boat ${n}` })
        return id
      }),
    )
    const first = await run(runtime)
    expect(first).toMatchObject({ status: 'done', source: 'executed' })
    expect(await run(runtime)).toMatchObject({ status: 'done', source: 'replayed' })
    expect(shop.sent).toEqual(['boat 1'])
    expect(shop.reads).toBe(1)
  })

  test('that waited gets the same reads, times and ids again', async () => {
    const seen: unknown[] = []
    const runtime = open(
      composite(async ({ step, now, newId }) => {
        const { n } = await step('count', count, {})
        seen.push([n, now(), newId('x'), newId('x')])
        await step('careful', careful, { item: `boat ${n}` })
        return 'done'
      }),
    )
    const pending = await run(runtime)
    expect(pending.status).toBe('pending')
    if (pending.status !== 'pending') return
    await runtime.approvals.decide(ann, pending.approval.id, {
      verdict: 'approve',
      digest: pending.approval.digest,
    })
    expect(await runtime.answer(ann, pending.facts.callId)).toMatchObject({
      status: 'done',
      data: 'done',
    })
    expect(seen).toHaveLength(2)
    expect(seen[1]).toEqual(seen[0])
    expect(shop.reads).toBe(1)
    expect(shop.sent).toEqual(['boat 1'])
  })

  test('waits for a job it started, and is woken by it', async () => {
    const runtime = open(
      composite(async ({ step }) => (await step('later', later, { item: 'boat' })).id),
    )
    const accepted = await run(runtime)
    expect(accepted.status).toBe('accepted')
    runtime.start()
    await expect
      .poll(async () => (await runtime.answer(ann, accepted.facts.callId))?.status)
      .toBe('done')
    await runtime.stop()
    expect(shop.sent).toEqual(['boat'])
  })

  test('gets a refusal once, and may go another way', async () => {
    const runtime = open(
      composite(async ({ step }) => {
        try {
          await step('first', put, { item: 'broken' })
        } catch (error) {
          if (!(error instanceof ToolError)) throw error
          await step('second', put, { item: error.code })
        }
        return 'done'
      }),
    )
    expect(await run(runtime)).toMatchObject({ status: 'done' })
    expect(shop.sent).toEqual(['TOOL_RESOURCE_NOT_FOUND'])
  })

  test('may refuse a fallback answer, and gets the same error at each replay', async () => {
    const broken = defineTool({
      ...about,
      id: 'shop.look',
      input: z.object({}),
      output: z.array(z.string()),
      contract: { effect: 'read', retries: 0, fallback: () => [] },
      execute: () =>
        Promise.reject(new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The shop is shut.')),
    })
    const heard: unknown[] = []
    const look = composite(async ({ step }) => {
      heard.push(await step('taken', broken, {}))
      heard.push(
        await step('refused', broken, {}, { degraded: 'refuse' }).catch(
          (thrown: ToolError) => thrown.code,
        ),
      )
      await step('careful', careful, { item: 'boat' })
      return 'done'
    })
    const runtime = createRuntime({
      packs: [definePack({ name: 'shop', tools: [...tools, broken, look] })],
      stores: shop.stores,
      providers: { shop: provider },
    })
    const pending = await run(runtime)
    if (pending.status !== 'pending') return expect(pending.status).toBe('pending')
    await runtime.approvals.decide(ann, pending.approval.id, {
      verdict: 'approve',
      digest: pending.approval.digest,
    })
    expect(await runtime.answer(ann, pending.facts.callId)).toMatchObject({
      status: 'done',
      data: 'done',
    })
    expect(heard).toEqual([[], 'TOOL_RESOURCE_UNAVAILABLE', [], 'TOOL_RESOURCE_UNAVAILABLE'])
  })

  test('undoes its steps in reverse order, and says which it could not undo', async () => {
    const runtime = open(
      composite(async ({ step }) => {
        await step(
          'one',
          put,
          { item: 'one' },
          { undo: ({ id }) => undoWith(take, { id, item: 'one' }) },
        )
        await step(
          'two',
          put,
          { item: 'two' },
          { undo: ({ id }) => undoWith(take, { id, item: 'two' }) },
        )
        await step('three', put, { item: 'three' })
        await step('four', put, { item: 'broken' })
        return 'never'
      }),
    )
    const failed = await run(runtime)
    expect(code(failed)).toBe('TOOL_RESOURCE_NOT_FOUND')
    expect(shop.sent).toEqual(['one', 'two', 'three', '-two', '-one'])
    expect(failed).toMatchObject({
      error: {
        details: {
          undone: [{ step: 'two' }, { step: 'one' }],
          not_undone: [{ step: 'three', why: 'it declares no undo' }],
        },
      },
    })
    // The key keeps the failure as its answer.
    expect(await run(runtime)).toMatchObject({ status: 'failed', source: 'replayed' })
  })

  test('that failed before any effect releases its key', async () => {
    let isBroken = true
    const runtime = open(
      composite(async ({ step }) => {
        await step('count', count, {})
        await step('put', put, { item: isBroken ? 'broken' : 'boat' })
        return 'done'
      }),
    )
    expect(code(await run(runtime))).toBe('TOOL_RESOURCE_NOT_FOUND')
    isBroken = false
    expect(await run(runtime)).toMatchObject({ status: 'done' })
  })

  test('each path is used once', async () => {
    const runtime = open(
      composite(async ({ step }) => {
        await step('same', count, {})
        await step('same', count, {})
        return 'never'
      }),
    )
    expect(code(await run(runtime))).toBe('TOOL_INTERNAL_ERROR')
  })

  test('that no longer does what its journal says stops and says where', async () => {
    let item = 'boat'
    const runtime = open(
      composite(async ({ step }) => {
        await step('put', put, { item })
        await step('careful', careful, { item: 'yes' })
        return 'done'
      }),
    )
    const pending = await run(runtime)
    if (pending.status !== 'pending') throw new Error(pending.status)
    item = 'plane'
    await runtime.approvals.decide(ann, pending.approval.id, {
      verdict: 'approve',
      digest: pending.approval.digest,
    })
    const stopped = await runtime.answer(ann, pending.facts.callId)
    expect(stopped).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RUN_DIVERGED', details: { step: 'put' } },
    })
    expect(shop.sent).toEqual(['boat', 'yes'])
    expect(code(await run(runtime))).toBe('TOOL_RUN_DIVERGED')
  })

  test('runs branches in parallel, at most `atMost`, each under its own path', async () => {
    let [running, most] = [0, 0]
    const slow = defineTool({
      ...about,
      id: 'shop.slow',
      input: z.object({ n: z.number() }),
      output: z.number(),
      contract: { effect: 'read' },
      execute: async ({ input }) => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running--
        return input.n
      },
    })
    const tool = composite(async ({ each, all }) => {
      const numbers = await each([1, 2, 3, 4, 5], {
        id: (n) => `n${n}`,
        atMost: 2,
        work: (n, branch) => branch.step('slow', slow, { n }),
      })
      const both = await all({
        left: (branch) => branch.step('put', put, { item: 'left' }),
        right: (branch) => branch.step('put', put, { item: 'right' }),
      })
      return `${numbers.join()} ${Object.keys(both).join()}`
    })
    const runtime = createRuntime({
      packs: [definePack({ name: 'p', tools: [...tools, slow as Tool, tool as Tool] })],
      stores: shop.stores,
      providers: { shop: provider },
    })
    expect(await run(runtime)).toMatchObject({ data: '1,2,3,4,5 left,right' })
    expect(most).toBe(2)
    expect(shop.sent.toSorted()).toEqual(['left', 'right'])
  })

  test('limits its steps to its own deadline, and compensates when it has passed', async () => {
    const endless = defineTool({
      ...about,
      id: 'shop.endless',
      input: z.object({}),
      output: z.string(),
      contract: { effect: 'read', timeout: '10s', retries: 0 },
      execute: () => new Promise<string>(() => undefined),
    })
    const tool = composite(
      async ({ step }) => {
        await step(
          'one',
          put,
          { item: 'one' },
          { undo: ({ id }) => undoWith(take, { id, item: 'one' }) },
        )
        return step('endless', endless, {})
      },
      { timeout: '80ms' },
    )
    const runtime = createRuntime({
      packs: [definePack({ name: 'p', tools: [...tools, endless as Tool, tool as Tool] })],
      stores: shop.stores,
      providers: { shop: provider },
    })
    expect(await run(runtime)).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_EXECUTION_TIMEOUT', details: { undone: [{ step: 'one' }] } },
    })
    expect(shop.sent).toEqual(['one', '-one'])
  })

  test('goes on when its caller stops waiting', async () => {
    const slow = defineTool({
      ...about,
      id: 'shop.slow',
      input: z.object({}),
      output: z.string(),
      contract: { effect: 'read' },
      execute: () => new Promise<string>((resolve) => setTimeout(resolve, 1_000, 'slow')),
    })
    const tool = composite(async ({ step }) => {
      await step(
        'put',
        put,
        { item: 'one' },
        { undo: ({ id }) => undoWith(take, { id, item: 'one' }) },
      )
      return step('slow', slow, {})
    })
    const runtime = open(tool, {
      packs: [definePack({ name: 'p', tools: [...tools, slow as Tool, tool as Tool] })],
    })
    const hasty = await runtime.call({
      tool: 'a.run',
      input: {},
      caller: ann,
      surface: 'test',
      withinMs: 300,
    })
    expect(hasty.status).toBe('accepted')
    await expect
      .poll(async () => (await runtime.answer(ann, hasty.facts.callId))?.status)
      .toBe('done')
    expect(shop.sent).toEqual(['one'])
  })

  test('that goes on without a branch cancels what the branch had begun', async () => {
    const runtime = open(
      composite(async ({ all, step }) => {
        try {
          await all({
            asks: (branch) => branch.step('careful', careful, { item: 'left behind' }),
            fails: (branch) => branch.step('put', put, { item: 'broken' }),
          })
        } catch {
          await step('other', put, { item: 'other' })
        }
        return 'done'
      }),
    )
    expect(await run(runtime)).toMatchObject({ status: 'done', data: 'done' })
    const [approval] = await runtime.approvals.list('acme')
    expect(approval?.state).toBe('expired')
    expect(shop.sent).toEqual(['other'])
  })

  test('cancelled while it waits undoes its steps, and says so', async () => {
    const runtime = open(
      composite(async ({ step }) => {
        await step(
          'one',
          put,
          { item: 'one' },
          { undo: ({ id }) => undoWith(take, { id, item: 'one' }) },
        )
        await step('two', put, { item: 'two' })
        await step('careful', careful, { item: 'three' })
        return 'never'
      }),
    )
    const pending = await run(runtime)
    expect(pending.status).toBe('pending')
    expect(await runtime.cancel(ann, pending.facts.callId)).toBe(false)
    expect(await runtime.answer(ann, pending.facts.callId)).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_CANCELLED',
        details: { undone: [{ step: 'one' }], not_undone: [{ step: 'two' }] },
      },
    })
    expect(shop.sent).toEqual(['one', 'two', '-one'])
    if (pending.status !== 'pending') return
    // A cancelled step needs no approval any more.
    await expect(
      runtime.approvals.decide(ann, pending.approval.id, {
        verdict: 'approve',
        digest: pending.approval.digest,
      }),
    ).rejects.toMatchObject({ code: 'TOOL_GATE_CLOSED' })
  })

  test('gets a denial once, and requests no second approval', async () => {
    const runtime = open(
      composite(async ({ step }) => {
        try {
          await step('careful', careful, { item: 'boat' })
        } catch (error) {
          if (error instanceof ToolError) return error.code
        }
        return 'never'
      }),
    )
    const pending = await run(runtime)
    if (pending.status !== 'pending') throw new Error(pending.status)
    await runtime.approvals.decide(ann, pending.approval.id, {
      verdict: 'deny',
      digest: pending.approval.digest,
    })
    runtime.start()
    await expect
      .poll(async () => (await runtime.answer(ann, pending.facts.callId))?.status)
      .toBe('done')
    await runtime.stop()
    expect(await runtime.answer(ann, pending.facts.callId)).toMatchObject({
      data: 'TOOL_APPROVAL_DENIED',
    })
    expect(await runtime.approvals.list('acme')).toHaveLength(1)
  })

  test('gets an error when its approval has expired', async () => {
    const clock = fakeClock()
    shop.stores = memoryStores({ clock })
    const runtime = open(
      composite(async ({ step }) => (await step('careful', careful, { item: 'boat' })).id),
      { clock },
    )
    const pending = await run(runtime)
    expect(pending.status).toBe('pending')
    runtime.start()
    await clock.advance(16 * 60_000)
    expect(await runtime.answer(ann, pending.facts.callId)).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_APPROVAL_DENIED' },
    })
    expect(await runtime.approvals.list('acme')).toHaveLength(1)
    await runtime.stop()
  })

  test('limits the time and the retries of a step, and goes on without it', async () => {
    let attempts = 0
    const read = (id: string, execute: () => Promise<string>): Tool =>
      defineTool({
        ...about,
        id,
        input: z.object({}),
        output: z.string(),
        contract: { effect: 'read', timeout: '30s', retries: 1 },
        execute,
      })
    const failing = read('shop.failing', async () => {
      attempts++
      throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'Not now.')
    })
    const silent = read('shop.silent', () => new Promise(() => undefined))
    const why = (thrown: ToolError) => thrown.code
    const clock = fakeClock()
    shop.stores = memoryStores({ clock })
    const runtime = createRuntime({
      packs: [
        definePack({
          name: 'p',
          tools: [
            failing,
            silent,
            composite(async ({ step }) => {
              const first = await step('once', failing.id, {}, { retries: 0 }).catch(why)
              const second = await step('short', silent.id, {}, { within: '2s' }).catch(why)
              return `${first}, ${second} after ${clock.now() - startedAt} ms`
            }) as Tool,
          ],
        }),
      ],
      stores: shop.stores,
      clock,
    })
    const startedAt = clock.now()
    const running = run(runtime)
    await clock.advance(10_000)
    expect(await running).toMatchObject({
      data: 'TOOL_EXTERNAL_SERVICE_ERROR, TOOL_EXECUTION_TIMEOUT after 2000 ms',
    })
    expect(attempts).toBe(1)
  })

  test('cancelled while a step runs cancels the step too', async () => {
    let begun = 0
    const patient = defineTool({
      ...about,
      id: 'shop.patient',
      input: z.object({}),
      output: z.string(),
      contract: { effect: 'read', timeout: '30s', retries: 0 },
      execute: ({ signal }) =>
        new Promise<string>((_, reject) => {
          begun++
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        }),
    })
    const tool = composite(async ({ step }) => {
      await step(
        'one',
        put,
        { item: 'one' },
        { undo: ({ id }) => undoWith(take, { id, item: 'one' }) },
      )
      return step('patient', patient, {})
    })
    const runtime = open(tool, {
      packs: [definePack({ name: 'p', tools: [...tools, patient as Tool, tool as Tool] })],
    })
    const running = run(runtime)
    await expect.poll(() => begun).toBe(1)
    const [row] = (await runtime.openCalls(ann)).items
    runtime.start()
    expect(await runtime.cancel(ann, row?.callId ?? '')).toBe(false)
    expect(await running).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_CANCELLED', details: { undone: [{ step: 'one' }] } },
    })
    await runtime.stop()
    expect(shop.sent).toEqual(['one', '-one'])
  })

  test('is shown as a tree', async () => {
    const runtime = open(
      composite(async ({ step, ask }) => {
        await step('one', put, { item: 'one' })
        await ask(z.boolean(), 'Go on?')
        return 'never'
      }),
    )
    const asking = await run(runtime)
    expect(await runtime.runTree(ann, asking.facts.callId)).toMatchObject({
      state: 'parked',
      steps: [
        { path: 'one', tool: 'shop.put@1.0.0', state: 'done' },
        { path: 'ask', what: 'ask', state: 'waiting' },
      ],
    })
    expect(await runtime.runTree({ ...ann, principal: 'eve' }, asking.facts.callId)).toBeUndefined()
  })
})
