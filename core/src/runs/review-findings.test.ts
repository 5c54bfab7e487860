import { setTimeout as pause } from 'node:timers/promises'
import { fakeClock } from '@surehand/conformance'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ToolError } from '../call/tool-error.ts'
import { definePack } from '../define/pack.ts'
import { undoWith } from '../define/run.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Runtime, RuntimeOptions } from '../runtime/runtime.ts'
import {
  about,
  agent,
  ann,
  careful,
  code,
  composite,
  later,
  open,
  openShop,
  put,
  run,
  shop,
  take,
  tools,
} from './fixtures/shop.ts'

// Each of these bugs was found by review and reproduced.
beforeEach(openShop)

type OneTool = ReturnType<typeof composite>

function openWith(
  tool: OneTool,
  others: readonly Tool[],
  more: Partial<RuntimeOptions> = {},
): Runtime {
  return open(tool, {
    packs: [definePack({ name: 'p', tools: [...tools, ...others, tool as Tool] })],
    ...more,
  })
}

test('a cancelled run that waits for its compensation is not driven in a loop', async () => {
  let parks = 0
  const { runs } = shop.stores
  shop.stores = {
    ...shop.stores,
    runs: {
      ...runs,
      park: (fence, parking) => {
        parks++
        return runs.park(fence, parking)
      },
    },
  }
  const runtime = open(
    composite(async ({ step, ask }) => {
      await step(
        'one',
        put,
        { item: 'one' },
        { undo: () => ({ tool: 'shop.careful', input: { item: 'back' } }) },
      )
      await ask(z.string(), 'Go on?')
      return 'never'
    }),
  )
  const asking = await run(runtime)
  await runtime.cancel(ann, asking.facts.callId)
  const waiting = await runtime.answer(ann, asking.facts.callId)
  expect([waiting?.status, parks]).toEqual(['pending', 2])
  if (waiting?.status !== 'pending') return
  await runtime.approvals.decide(ann, waiting.approval.id, {
    verdict: 'approve',
    digest: waiting.approval.digest,
  })
  expect(await runtime.answer(ann, asking.facts.callId)).toMatchObject({
    error: { code: 'TOOL_CANCELLED', details: { undone: [{ step: 'one' }] } },
  })
})

test('a write with an invalid output counts as done: its key is not released', async () => {
  const odd = defineTool({
    ...about,
    id: 'shop.odd',
    input: z.object({}),
    output: z.object({ n: z.number() }),
    contract: { effect: 'writes.shop', reversible: true, idempotency: 'caller' },
    execute: async () => {
      shop.sent.push('odd')
      return {} as never
    },
  })
  const runtime = openWith(
    composite(async ({ step }) => String((await step('odd', odd, {})).n)),
    [odd as Tool],
  )
  for (const _ of [1, 2])
    expect(await run(runtime)).toMatchObject({
      error: { details: { not_undone: [{ step: 'odd' }] } },
    })
  expect(shop.sent).toEqual(['odd'])
})

test('a nested run that could not undo everything keeps the key of the outer run', async () => {
  const inner = defineTool({
    ...about,
    id: 'a.inner',
    kind: 'composite',
    input: z.object({}),
    output: z.string(),
    contract: { effect: 'writes.shop', reversible: true, idempotency: 'caller' },
    execute: async ({ step }) => {
      await step('put', put, { item: 'boat' })
      await step('fails', put, { item: 'broken' })
      return 'never'
    },
  })
  const runtime = openWith(
    composite(async ({ step }) => step('inner', inner, {})),
    [inner as Tool],
  )
  for (const _ of [1, 2])
    expect(await run(runtime)).toMatchObject({
      error: { details: { not_undone: [{ step: 'inner' }] } },
    })
  expect(shop.sent).toEqual(['boat'])
})

test('a job of a branch that the replay does not reach is cancelled too', async () => {
  const slowly = defineTool({
    ...about,
    id: 'shop.slowly',
    input: z.object({}),
    output: z.string(),
    contract: { effect: 'read', retries: 0 },
    execute: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'no')
    },
  })
  const runtime = openWith(
    composite(async ({ each }) => {
      await each(['a', 'b', 'c'], {
        id: (name) => name,
        atMost: 2,
        work: async (name, branch) => {
          if (name === 'a')
            return [
              await branch.step('one', 'shop.count', {}),
              await branch.step('two', 'shop.count', {}),
            ]
          return name === 'b'
            ? branch.step('fails', slowly, {})
            : branch.step('job', later, { item: 'orphan' })
        },
      })
      return 'never'
    }),
    [slowly as Tool],
  )
  expect(code(await run(runtime))).toBe('TOOL_RESOURCE_NOT_FOUND')
  runtime.start()
  await new Promise((resolve) => setTimeout(resolve, 100))
  await runtime.stop()
  expect(shop.sent).toEqual([])
})

test('of two failing branches, a replay throws the failure that was thrown first', async () => {
  const failing = (id: string, ms: number) =>
    defineTool({
      ...about,
      id,
      input: z.object({}),
      output: z.string(),
      contract: { effect: 'read', retries: 0 },
      execute: async () => {
        await new Promise((resolve) => setTimeout(resolve, ms))
        throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `${id} is missing.`)
      },
    })
  const [slow, fast] = [failing('shop.slow', 60), failing('shop.fast', 1)]
  const tool = composite(async ({ all, ask }) => {
    try {
      await all({
        a: (branch) => branch.step('slow', slow, {}),
        b: (branch) => branch.step('fast', fast, {}),
      })
    } catch (error) {
      return ask(z.string(), `${(error as Error).message} What now?`)
    }
    return 'never'
  })
  const runtime = openWith(tool, [slow as Tool, fast as Tool])
  const asking = await run(runtime)
  if (asking.status !== 'asking') throw new Error(asking.status)
  await runtime.questions.answer(ann, asking.question.id, {
    answer: 'go',
    digest: asking.question.digest,
  })
  expect(await runtime.answer(ann, asking.facts.callId)).toMatchObject({
    status: 'done',
    data: 'go',
  })
})

test('a failed step that is not awaited yet does not end the process', async () => {
  const runtime = open(
    composite(async ({ step }) => {
      const waits = step('careful', careful, { item: 'boat' })
      const fails = step('fails', put, { item: 'broken' })
      await waits
      await fails
      return 'never'
    }),
  )
  // Vitest fails on an unhandled rejection.
  expect((await run(runtime)).status).toBe('pending')
})

test('a caller who disconnects does not cause compensation, also when the run is driven again', async () => {
  const leaving = new AbortController()
  const { runs } = shop.stores
  const runtime = open(
    composite(async ({ step, ask }) => {
      await step(
        'one',
        put,
        { item: 'one' },
        { undo: ({ id }) => undoWith(take, { id, item: 'one' }) },
      )
      return ask(z.string(), 'Go on?')
    }),
    {
      stores: {
        ...shop.stores,
        runs: {
          ...runs,
          // Answered at the moment when the run is parked and its caller disconnects.
          async park(fence, parking) {
            const [question] = await runs.questions({ tenant: 'acme', state: 'open' })
            leaving.abort()
            if (question !== undefined)
              await runs.answer(
                'acme',
                question.id,
                { json: '"yes"', by: 'ann', credential: 'own', host: undefined },
                {} as never,
              )
            return runs.park(fence, parking)
          },
        },
      },
    },
  )
  const outcome = await runtime.call({
    tool: 'a.run',
    input: {},
    caller: ann,
    surface: 'test',
    idempotencyKey: 'k',
    signal: leaving.signal,
  })
  expect(outcome).toMatchObject({ status: 'done', data: 'yes' })
  expect(shop.sent).toEqual(['one'])
})

test('a question expires on time, however often the run was parked', async () => {
  const clock = fakeClock()
  shop.stores = memoryStores({ clock })
  const runtime = open(
    composite(async ({ all, ask, step }) => {
      const { asked } = await all({
        asked: (branch) => branch.ask(z.string(), 'Colour?', { timeout: '60s', otherwise: 'blue' }),
        job: (branch) => branch.step('careful', careful, { item: 'boat' }),
      })
      await step('put', put, { item: asked })
      return ask(z.string(), 'Sure?', { id: 'sure' })
    }),
    { clock },
  )
  const first = await run(runtime)
  runtime.start()
  await clock.advance(50_000)
  const [approval] = await runtime.approvals.list('acme', 'pending')
  await runtime.approvals.decide(ann, approval?.id ?? '', {
    verdict: 'approve',
    digest: approval?.digest ?? '',
  })
  await clock.advance(17_000)
  expect(await runtime.answer(ann, first.facts.callId)).toMatchObject({
    status: 'asking',
    question: { asks: 'Sure?' },
  })
  await runtime.stop()
})

test('a model whose answer was invalid may give another', async () => {
  const tool = composite(async ({ ask }) =>
    String(await ask(z.number(), 'How many?', { from: 'model' })),
  )
  const wrong = {
    ok: false,
    problems: [{ kind: 'type', field: '', error: 'must be a number', provided_value: null }],
  }
  const parse = (value: unknown) => (typeof value === 'number' ? { ok: true, value } : wrong)
  // Only the part of the surface that this test needs.
  const runtime = open(tool, { schemas: { compile: () => ({ parse }) } as never })
  const asking = await run(runtime, 'k', agent)
  if (asking.status !== 'asking') throw new Error(asking.status)
  const say = (answer: unknown) =>
    runtime.call({
      tool: 'surehand.answer',
      input: { question_id: asking.question.id, answer },
      caller: agent,
      surface: 'test',
    })
  expect(code(await say('three'))).toBe('TOOL_INVALID_FIELD_TYPE')
  expect(code(await say(3))).toBe('done')
  expect(await runtime.answer(agent, asking.facts.callId)).toMatchObject({ data: '3' })
})

test('a caller cannot continue the call of another principal', async () => {
  const runtime = open(
    composite(async ({ step }) => (await step('later', later, { item: 'boat' })).id),
  )
  const job = await runtime.call({
    tool: 'shop.later',
    input: { item: 'boat' },
    caller: ann,
    surface: 'test',
  })
  expect(await runtime.cancel({ ...ann, principal: 'eve' }, job.facts.callId)).toBe(false)
  expect(shop.sent).toEqual([])
})

test('a run that has used its approval goes on although its description has changed since', async () => {
  const makeRun = (description: string): OneTool =>
    defineTool({
      ...about,
      description,
      id: 'a.run',
      kind: 'composite',
      input: z.object({ n: z.number().default(1) }),
      output: z.string(),
      contract: {
        effect: 'writes.shop',
        reversible: true,
        idempotency: 'caller',
        approval: () => 'Run?',
      },
      execute: async ({ step, ask }) => {
        await step('one', put, { item: 'one' })
        return ask(z.string(), 'Colour?')
      },
    }) as OneTool
  const runtime = open(makeRun('Does it.'))
  const pending = await run(runtime)
  if (pending.status !== 'pending') throw new Error(pending.status)
  await runtime.approvals.decide(ann, pending.approval.id, {
    verdict: 'approve',
    digest: pending.approval.digest,
  })
  const reworded = open(makeRun('Does it, in other words.'))
  const [question] = await reworded.questions.listFor(ann, 'open')
  await reworded.questions.answer(ann, question?.id ?? '', {
    answer: 'red',
    digest: question?.digest ?? '',
  })
  expect(await reworded.answer(ann, pending.facts.callId)).toMatchObject({
    status: 'done',
    data: 'red',
  })
})

test('a run whose journal is written slowly goes on, and does not wait for itself', async () => {
  const { runs } = shop.stores
  shop.stores = {
    ...shop.stores,
    runs: {
      ...runs,
      write: async (fence, entries) => {
        await pause(150)
        return runs.write(fence, entries)
      },
    },
  }
  const tool = composite(({ step }) => step('one', put, { item: 'one' }).then(() => 'done'))
  const runtime = open(tool, { leaseMs: 200 })
  const request = { tool, input: {}, caller: ann, whenRunning: 'wait' } as const
  expect(await runtime.call(request)).toMatchObject({ status: 'done', data: 'done' })
  expect(shop.sent).toEqual(['one'])
})
