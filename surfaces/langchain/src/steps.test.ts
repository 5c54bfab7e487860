import { Command, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { awaitAnswer } from '@surehand/core/host'
import { systemClock } from '@surehand/core/ports'
import type { ToolMessage } from 'langchain'
import { expect, test } from 'vitest'
import type { ApprovalRequest } from './ask-person.ts'
import { agent, HOST } from './fixtures/shop.ts'
import { edit, no, type Talk, talk, yes } from './fixtures/talk.ts'
import { openTrip } from './fixtures/trip.ts'
import { tools } from './tool.ts'

const PLAN = { name: 'trip__plan', args: { city: 'Rome' }, id: 'call_1' }
const requestIn = ({ interrupts: [asked] }: Talk) => asked?.value as ApprovalRequest

test('the request of a step is shown as the step’s, cannot be edited, and belongs to the call that the model made', async () => {
  const { runtime } = openTrip()
  const { start } = await talk([PLAN], { runtime, caller: agent, host: HOST })
  const { actionRequests, reviewConfigs, surehand } = requestIn(await start())
  expect(actionRequests[0]).toMatchObject({ name: 'trip__pay', args: { cents: 500 } })
  expect(actionRequests[0].description).toContain('It is a step of trip.plan.')
  expect(reviewConfigs[0]).toMatchObject({
    actionName: 'trip__pay',
    allowedDecisions: ['approve', 'reject'],
    argsSchema: { properties: { cents: { type: 'integer' } } },
  })
  const [asked] = await runtime.approvals.list('acme')
  expect(surehand).toMatchObject({ tool: 'trip.plan', id: asked?.id, digest: asked?.digest })
  expect(surehand.call_id).not.toBe(asked?.callId)
})

test('an approval and an answer for steps continue the run, and the model reads the result of the whole run', async () => {
  const { runtime, done } = openTrip()
  const { start, resume } = await talk([PLAN], { runtime, caller: agent, host: HOST })
  await start()
  expect((await resume(yes)).interrupts[0]?.value).toMatchObject({
    question: { asks: 'Which seat?' },
    surehand: { tool: 'trip.plan' },
  })
  const { envelopes } = await resume({ answer: '12A' })
  expect(envelopes[0]).toMatchObject({
    command: 'trip.plan',
    status: 'success',
    data: { trip: 'Rome in 12A' },
  })
  expect(done).toEqual(['paid 500', 'reserved Bergen'])
})

test('a run that fails after an approved step is reported as failed, even though the step succeeded', async () => {
  const { runtime } = openTrip()
  const call = { ...PLAN, args: { next: 'full' } }
  const { start, resume } = await talk([call], { runtime, caller: agent, host: HOST })
  await start()
  await resume(yes)
  const { reported, envelopes } = await resume({ answer: '12A' })
  expect(reported[0]?.status).toBe('error')
  expect(envelopes[0]).toMatchObject({ command: 'trip.plan', error: { code: 'TOOL_GATE_CLOSED' } })
})

test('rejecting a step ends the run, and the model reads that its call was not done', async () => {
  const { runtime, done } = openTrip()
  runtime.start()
  const { start, resume } = await talk([PLAN], { runtime, caller: agent, host: HOST })
  await start()
  const { reported, envelopes } = await resume(no('Too dear.'))
  await runtime.stop()
  expect(envelopes[0]).toMatchObject({
    command: 'trip.plan',
    error: { code: 'TOOL_APPROVAL_DENIED' },
  })
  expect(reported[0]?.text).toContain('The person says: Too dear.')
  expect(done).toEqual([])
})

test('rejecting a step withdraws the whole run if the rejection does not count as a decision', async () => {
  const { runtime, done } = openTrip()
  const { start, resume } = await talk([PLAN], { runtime, caller: agent })
  await start()
  const { envelopes } = await resume(no())
  expect(envelopes[0]).toMatchObject({ command: 'trip.plan', error: { code: 'TOOL_CANCELLED' } })
  expect(done).toEqual([])
})

test.each([
  ['of the step', edit('trip__pay', { cents: 1 })],
  ['of the run', edit('trip__plan', { city: 'Oslo' })],
])('an edit %s decides nothing: the step is shown again', async (_, said) => {
  const { runtime, done } = openTrip()
  const { start, resume } = await talk([PLAN], { runtime, caller: agent, host: HOST })
  const first = requestIn(await start())
  const again = requestIn(await resume(said))
  expect(again.actionRequests[0].description).toContain('Nothing was decided.')
  expect(again.surehand.id).toBe(first.surehand.id)
  expect(done).toEqual([])
})

test('a caller that aborts after the approval counted reads that the call is accepted, and it is done', async () => {
  const { runtime, done } = openTrip()
  const leaving = new AbortController()
  const decide = runtime.approvals.decide
  // A worker is alive and runs the approved call; the caller aborts as soon as the approval counts.
  const leftAfterYes = {
    ...runtime,
    approvals: {
      ...runtime.approvals,
      async decide(...given: Parameters<typeof decide>) {
        runtime.start()
        const decided = await decide(...given)
        leaving.abort()
        return decided
      },
    },
  }
  const book = (await tools(leftAfterYes, agent, { host: HOST })).find(
    ({ name }) => name === 'trip__book',
  )
  const reported: string[] = []
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('work', async (_, config) => {
      const call = { type: 'tool_call', id: 'call_1', name: 'trip__book', args: {} } as const
      const message: ToolMessage | undefined = await book?.invoke(call, {
        ...config,
        signal: leaving.signal,
      })
      reported.push(message?.text ?? '')
      return { messages: [] }
    })
    .addEdge('__start__', 'work')
    .compile({ checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: 'thread 1' } }
  await graph.invoke({ messages: [] }, config)
  await graph.invoke(new Command({ resume: yes }), config)
  const [asked] = await runtime.approvals.list('acme')
  const waiting = { clock: systemClock(), waitMs: 60_000, signal: undefined, until: 'end' } as const
  await awaitAnswer(runtime, agent, asked?.callId ?? '', waiting)
  await runtime.stop()
  expect(reported).toEqual([expect.stringMatching(/^Accepted, but not done yet|^booked/)])
  expect(done).toEqual(['booked'])
})
