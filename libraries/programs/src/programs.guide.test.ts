import { readFileSync } from 'node:fs'
import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Tool,
} from '@surehand/core'
import { foreignSchemas } from '@surehand/json-schema'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compositeFromData } from './composite-from-data.ts'

const guide = readFileSync(new URL('../../../docs/guides/programs.md', import.meta.url), 'utf8')
const [, example = ''] = /```json\n(.*?)```/s.exec(guide) ?? []

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
const about = { title: 'A tool', category: 'custom', description: 'Does something.' } as const
const write = { effect: 'writes.hotels', reversible: true, idempotency: 'caller' } as const

function shop(price: number): { readonly tools: readonly Tool[]; readonly done: string[] } {
  const done: string[] = []
  const find = defineTool({
    ...about,
    id: 'hotels.find',
    input: z.object({ city: z.string() }),
    output: z.object({
      offers: z.array(z.object({ id: z.string(), name: z.string(), price: z.number() })),
    }),
    contract: { effect: 'read' },
    execute: async ({ input }) => ({ offers: [{ id: 'o1', name: `Inn of ${input.city}`, price }] }),
  })
  const book = defineTool({
    ...about,
    id: 'hotels.book',
    input: z.object({ offer: z.string(), guest: z.string() }),
    output: z.object({ booking: z.string() }),
    contract: write,
    execute: async ({ input }) => {
      done.push(`${input.offer} for ${input.guest}`)
      return { booking: 'b1' }
    },
  })
  const cancel = defineTool({
    ...about,
    id: 'hotels.cancel',
    input: z.object({ booking: z.string() }),
    output: z.object({}),
    contract: write,
    execute: async () => ({}),
  })
  const send = defineTool({
    ...about,
    id: 'mail.send',
    input: z.object({ to: z.string(), text: z.string() }),
    output: z.object({}),
    contract: write,
    execute: async ({ input }) => {
      done.push(`${input.to}: ${input.text}`)
      return {}
    },
  })
  return { tools: [find, book, cancel, send] as readonly Tool[], done }
}

test('the guide’s program has no warning and does what the guide says', async () => {
  const { tools, done } = shop(100)
  const parts = {
    toolOf: (id: string) => tools.find((tool) => tool.id === id),
    schemas: foreignSchemas(),
  }
  const { tool, warnings } = compositeFromData(JSON.parse(example), parts)
  expect(warnings).toEqual([])
  const runtime = createRuntime({
    packs: [definePack({ name: 'p', tools: [...tools, tool] })],
    stores: memoryStores(),
  })
  const call = {
    tool: 'trip.book',
    input: { city: 'Rome', guest: 'Bo' },
    caller: ann,
    surface: 'test',
    idempotencyKey: 'k',
  }
  const asking = await runtime.call(call)
  if (asking.status !== 'asking') throw new Error(asking.status)
  expect(asking.question.asks).toBe('Book Inn of Rome for 100?')
  await runtime.questions.answer(ann, asking.question.id, {
    answer: true,
    digest: asking.question.digest,
  })
  expect(await runtime.answer(ann, asking.facts.callId)).toMatchObject({
    status: 'done',
    data: { booking: 'b1' },
  })
  expect(done).toEqual(['o1 for Bo', 'Bo: Your booking is b1.'])
})

test('where the room is too dear the guide’s program does nothing', async () => {
  const { tools, done } = shop(500)
  const parts = {
    toolOf: (id: string) => tools.find((tool) => tool.id === id),
    schemas: foreignSchemas(),
  }
  const { tool } = compositeFromData(JSON.parse(example), parts)
  const runtime = createRuntime({
    packs: [definePack({ name: 'p', tools: [...tools, tool] })],
    stores: memoryStores(),
  })
  const call = {
    tool: 'trip.book',
    input: { city: 'Rome', guest: 'Bo' },
    caller: ann,
    surface: 'test',
    idempotencyKey: 'k',
  }
  expect(await runtime.call(call)).toMatchObject({ status: 'done', data: { booking: null } })
  expect(done).toEqual([])
})
