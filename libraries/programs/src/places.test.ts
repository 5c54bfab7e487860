import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Tool,
} from '@surehand/core'
import { expect, test } from 'vitest'
import { z } from 'zod'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}

test('a step may be called "end": its failure is not the end of the run', async () => {
  const about = {
    title: 'A tool',
    category: 'custom',
    description: 'Does something.',
    contract: { effect: 'read', retries: 0 },
  } as const
  const broken = defineTool({
    ...about,
    id: 'a.broken',
    input: z.object({}),
    output: z.string(),
    execute: () => Promise.reject(new Error('broken')),
  })
  const tool = defineTool({
    ...about,
    id: 'a.run',
    kind: 'composite',
    input: z.object({}),
    output: z.string(),
    execute: async ({ step, ask }) => {
      await step('end', broken, {}).catch(() => undefined)
      return ask(z.string(), 'What now?')
    },
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'p', tools: [broken as Tool, tool as Tool] })],
    stores: memoryStores(),
  })
  const asking = await runtime.call({ tool: 'a.run', input: {}, caller: ann, surface: 'test' })
  if (asking.status !== 'asking') throw new Error(asking.status)
  await runtime.questions.answer(ann, asking.question.id, {
    answer: 'on',
    digest: asking.question.digest,
  })
  expect(await runtime.answer(ann, asking.facts.callId)).toMatchObject({
    status: 'done',
    data: 'on',
  })
})
