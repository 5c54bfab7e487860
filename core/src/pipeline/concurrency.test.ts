import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { definePack } from '../define/pack.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { sleep } from '../ports/clock.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}

test('at most `concurrency` jobs of a tool run at once, across two nodes, and all of them finish', async () => {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  let [running, most] = [0, 0]
  const work = defineTool({
    id: 'a.work',
    title: 'Work',
    category: 'custom',
    description: 'Works for a while.',
    kind: 'async',
    input: z.object({ n: z.number() }),
    output: z.number(),
    contract: { effect: 'read', concurrency: 2, timeout: '1m' },
    execute: async ({ input }) => {
      most = Math.max(most, ++running)
      await sleep(clock, 2_000)
      running--
      return input.n
    },
  })
  const nodes = [1, 2].map(() =>
    createRuntime({ packs: [definePack({ name: 'p', tools: [work] })], stores, clock }),
  )
  const [first] = nodes
  if (first === undefined) return
  const jobs = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => first.call({ tool: work, input: { n }, caller: ann })),
  )
  // The queue in memory has one worker at a time: the second node sweeps what the first has
  // postponed.
  for (const node of nodes) node.start()
  await clock.advance(60_000)
  const answers = await Promise.all(jobs.map(({ facts }) => first.answer(ann, facts.callId)))
  expect(
    answers.map((answer) => (answer?.status === 'done' ? answer.data : answer?.status)),
  ).toEqual([1, 2, 3, 4, 5])
  expect(most).toBe(2)
  await Promise.all(nodes.map((node) => node.stop()))
})

test('a job that is delivered again after its call has ended leaves no record', async () => {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  const note = defineTool({
    id: 'a.note',
    title: 'Note',
    category: 'custom',
    description: 'Notes.',
    kind: 'async',
    input: z.object({}),
    output: z.null(),
    contract: { effect: 'writes.note', reversible: true, idempotency: 'caller' },
    execute: async () => null,
  })
  const packs = [definePack({ name: 'p', tools: [note] })]
  const runtime = createRuntime({ packs, stores, clock })
  const { facts } = await runtime.call({
    tool: note,
    input: {},
    caller: ann,
    idempotencyKey: 'k',
  })
  runtime.start()
  await clock.advance(10_000)
  const outcomes = async () =>
    (await stores.audit.list({ tenant: 'acme' })).map(({ outcome }) => outcome)
  const before = await outcomes()
  await stores.jobs.enqueue({ tenant: 'acme', callId: facts.callId }, 0)
  await clock.advance(10_000)
  expect(await outcomes()).toEqual(before)
  expect(before.at(-1)).toBe('done')
  await runtime.stop()
})
