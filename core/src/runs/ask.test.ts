import { fakeClock } from '@surehand/conformance'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Outcome } from '../call/outcome.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { agent, ann, composite, count, open, openShop, put, run, shop } from './fixtures/shop.ts'

beforeEach(openShop)

describe('a question', () => {
  const asking = composite(async ({ step, ask }) => {
    const { n } = await step('count', count, {})
    const item = await ask(z.string().min(2), `What is number ${n}?`, { id: 'item', shows: 'boat' })
    const isSure = await ask(z.boolean(), `Put ${item}?`, { id: 'sure', from: 'anyone' })
    if (isSure) await step('put', put, { item })
    return item
  })

  async function answerQuestion(
    runtime: Runtime,
    outcome: Outcome,
    answer: unknown,
    by = ann,
  ): Promise<Outcome | undefined> {
    if (outcome.status !== 'asking') throw new Error(outcome.status)
    await runtime.questions.answer(by, outcome.question.id, {
      answer,
      digest: outcome.question.digest,
    })
    return runtime.answer(by, outcome.facts.callId)
  }

  test('waits for its answer, across restarts and several rounds', async () => {
    const first = await run(open(asking), 'k', agent)
    expect(first).toMatchObject({
      status: 'asking',
      question: { asks: 'What is number 1?', draft: '"boat"', state: 'open' },
    })
    const second = await answerQuestion(open(asking), first, 'plane')
    expect(second).toMatchObject({ status: 'asking', question: { asks: 'Put plane?' } })
    const third = await answerQuestion(open(asking), second as Outcome, true)
    expect(third).toMatchObject({ status: 'done', data: 'plane' })
    expect([shop.reads, shop.sent]).toEqual([1, ['plane']])
  })

  test('for a person is not answered by an agent', async () => {
    const runtime = open(asking)
    const first = await run(runtime, 'k', agent)
    await expect(answerQuestion(runtime, first, 'plane', agent)).rejects.toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    })
    const second = await answerQuestion(runtime, first, 'plane')
    if (second?.status !== 'asking') throw new Error(second?.status)
    // A question for anyone: the model answers it with another call.
    const call = {
      tool: 'surehand.answer',
      input: { question_id: second.question.id, answer: true },
      caller: agent,
      surface: 'test',
    }
    expect(await runtime.call(call)).toMatchObject({
      status: 'done',
      data: { call_id: first.facts.callId },
    })
    expect(await runtime.answer(agent, first.facts.callId)).toMatchObject({
      status: 'done',
      data: 'plane',
    })
  })

  test('with an invalid answer is asked again, with what was wrong', async () => {
    const runtime = open(asking)
    const again = await answerQuestion(runtime, await run(runtime), 'x')
    expect(again).toMatchObject({ status: 'asking', question: { path: 'item~2' } })
    if (again?.status === 'asking')
      expect(JSON.parse(again.question.shown)).toMatchObject({
        problem: expect.stringContaining('2'),
      })
    expect(await answerQuestion(runtime, again as Outcome, 'plane')).toMatchObject({
      status: 'asking',
      question: { asks: 'Put plane?' },
    })
  })

  test('of another principal does not exist for the caller', async () => {
    const runtime = open(asking)
    const first = await run(runtime)
    const eve = { ...ann, principal: 'eve' }
    await expect(answerQuestion(runtime, first, 'plane', eve)).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
    })
    expect(await runtime.questions.listFor(eve)).toEqual([])
    expect(await runtime.questions.listFor(ann, 'open')).toHaveLength(1)
  })

  test('that is not answered takes its default, or fails the run', async () => {
    const tool = composite(async ({ ask }) => {
      const first = await ask(z.string(), 'Colour?', {
        id: 'first',
        timeout: '5s',
        otherwise: 'blue',
      })
      const second = await ask(z.string(), 'Size?', { id: 'second', timeout: '60s' })
      return first + second
    })
    const clock = fakeClock()
    shop.stores = memoryStores({ clock })
    const runtime = open(tool, { clock })
    const asked = await run(runtime)
    expect(asked.status).toBe('asking')
    runtime.start()
    // The sweep finds it when it has expired: the default is taken, and the next question asked.
    await clock.advance(10_000)
    expect(await runtime.answer(ann, asked.facts.callId)).toMatchObject({
      status: 'asking',
      question: { asks: 'Size?' },
    })
    await clock.advance(120_000)
    expect(await runtime.answer(ann, asked.facts.callId)).toMatchObject({
      error: { code: 'TOOL_GATE_CLOSED', details: { source_code: 'question_expired' } },
    })
    await runtime.stop()
  })
})
