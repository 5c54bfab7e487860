import { MemorySaver } from '@langchain/langgraph'
import { expect, test } from 'vitest'
import type { QuestionRequest } from './ask-person.ts'
import { agent, ann, HOST, openShop, TRUSTING } from './fixtures/shop.ts'
import { edit, type Talk, talk, yes } from './fixtures/talk.ts'

const ADVISE = { name: 'shop__advise', args: {}, id: 'call_1' }
const questionIn = ({ interrupts: [asked] }: Talk) =>
  (asked?.value as QuestionRequest | undefined)?.question

test('a run’s question to a person interrupts the graph, and each answer continues the run', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([ADVISE], { runtime, caller: agent, host: HOST })
  expect(questionIn(await start())).toMatchObject({
    asks: 'What do you like?',
    schema: { type: 'string', minLength: 3 },
    draft: 'tea',
    description: expect.stringContaining('What do you like?'),
  })
  expect(questionIn(await resume({ answer: 'coffee' }))).toMatchObject({ asks: 'Really coffee?' })
  const { envelopes } = await resume({ answer: true })
  expect(envelopes[0]).toMatchObject({ status: 'success', data: { product: 'coffee' } })
  expect(done).toEqual(['coffee'])
})

test('an answer is the person’s, as the host attests it', async () => {
  const { runtime } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([ADVISE], { runtime, caller: agent, host: HOST })
  await start()
  await resume({ answer: 'coffee' })
  const [answered] = await runtime.questions.listFor(ann, 'answered')
  expect(answered?.answer).toMatchObject({
    by: 'ann',
    credential: 'attested',
    host: HOST,
    json: '"coffee"',
  })
})

test('after an invalid answer the question is asked again, with the problem', async () => {
  const { runtime } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([ADVISE], { runtime, caller: agent, host: HOST })
  const first = questionIn(await start())
  for (const said of [{ answer: 'no' }, { answer: 7 }, 'coffee', yes]) {
    const again = questionIn(await resume(said))
    expect(again).toMatchObject({ asks: 'What do you like?' })
    expect(again?.description).not.toBe(first?.description)
  }
  expect(questionIn(await resume({ answer: 'coffee' }))).toMatchObject({ asks: 'Really coffee?' })
})

test('a run that needs an approval and then an answer gets each in its turn, after an edit too', async () => {
  const { runtime } = openShop({ policy: TRUSTING })
  const call = { name: 'shop__adviseDear', args: { product: 'piano' }, id: 'call_1' }
  const { start, resume } = await talk([call], { runtime, caller: agent, host: HOST })
  await start()
  await resume(edit('shop__adviseDear', { product: 'flute' }))
  expect(questionIn(await resume(yes))).toMatchObject({ asks: 'How many?' })
  expect((await resume({ answer: 3 })).envelopes[0]?.data).toEqual({ product: '3 flute' })
})

test('a declined question stays open, and the model reads that the run waits', async () => {
  const { runtime } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([ADVISE], { runtime, caller: agent, host: HOST })
  await start()
  const { envelopes, interrupts } = await resume({ declined: true })
  expect(interrupts).toEqual([])
  expect(envelopes[0]?.error?.code).toBe('TOOL_INPUT_REQUIRED')
  expect(await runtime.questions.listFor(ann, 'open')).toHaveLength(1)
})

test.each([
  ['an untrusted host', { host: HOST }, ADVISE],
  ['no host', {}, ADVISE],
] as const)(
  'through %s no interrupt is raised that could not be answered: the model tells the person where to answer',
  async (_, options, call) => {
    const { runtime } = openShop()
    const { start } = await talk([call], {
      runtime,
      caller: agent,
      ...options,
      questionUrl: () => 'https://approvals.example',
    })
    const { reported, interrupts } = await start()
    expect(interrupts).toEqual([])
    expect(reported[0]?.text).toContain('A person answers here: https://approvals.example')
  },
)

test('a secret is not asked through the graph, whose checkpoints would store it', async () => {
  const { runtime } = openShop({ policy: TRUSTING })
  const { start } = await talk([{ name: 'shop__unlock', args: {}, id: 'call_1' }], {
    runtime,
    caller: agent,
    host: HOST,
  })
  const { envelopes, interrupts } = await start()
  expect(interrupts).toEqual([])
  expect(envelopes[0]?.error?.code).toBe('TOOL_INPUT_REQUIRED')
})

test('a question to the model is in its reply, with the schema of the answer', async () => {
  const { runtime } = openShop({ policy: TRUSTING })
  const { start } = await talk([{ name: 'shop__guess', args: {}, id: 'call_1' }], {
    runtime,
    caller: agent,
    host: HOST,
  })
  const { reported, interrupts } = await start()
  expect(interrupts).toEqual([])
  expect(reported[0]?.text).toMatch(/Question: [\s\S]*Schema: [\s\S]*surehand__answer/)
})

test('an answer after a restart continues the run', async () => {
  const before = openShop({ policy: TRUSTING })
  const checkpointer = new MemorySaver()
  await (
    await talk([ADVISE], { runtime: before.runtime, caller: agent, host: HOST, checkpointer })
  ).start()
  const after = openShop({ policy: TRUSTING, stores: before.stores })
  const { resume } = await talk([], {
    runtime: after.runtime,
    caller: agent,
    host: HOST,
    checkpointer,
  })
  await resume({ answer: 'coffee' })
  expect((await resume({ answer: true })).envelopes[0]?.data).toEqual({ product: 'coffee' })
  expect(after.done).toEqual(['coffee'])
})
