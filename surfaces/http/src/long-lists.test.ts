import { createRuntime, definePack, defineTool, memoryStores } from '@surehand/core'
import { createEdge, type FairTurns } from '@surehand/edge'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { httpHandler, ROUTES } from './http-handler.ts'
import { listen } from './listen.ts'
import { openApi } from './openapi.ts'

const caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
} as const

/** A runtime with so many tools. */
function openRuntime(count: number) {
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({
      id: `many.tool${String(index).padStart(4, '0')}`,
      title: 'One of many',
      category: 'custom',
      description: 'Does what it is called.',
      input: z.object({ text: z.string() }),
      output: z.object({ text: z.string() }),
      contract: { effect: 'none' },
      examples: [{ name: 'a word', input: { text: 'é' } }],
      execute: async ({ input }) => input,
    }),
  )
  return createRuntime({ packs: [definePack({ name: 'many', tools })], stores: memoryStores() })
}

function countTurns(): FairTurns & { readonly taken: () => number } {
  let taken = 0
  return {
    next: async () => {
      taken++
    },
    taken: () => taken,
  }
}

test('the OpenAPI document describes ten tools a turn, each once, and is sent in parts', async () => {
  const surface = { runtime: openRuntime(1_000), origin: 'https://tools.example' }
  const turns = countTurns()
  const request = { caller, surface, routes: ROUTES, turn: () => turns.next('ann') }
  const first = await openApi(request)
  expect(turns.taken()).toBe(100)
  const second = await openApi(request)
  expect(turns.taken()).toBe(100)

  const parts: Buffer[] = []
  for await (const part of second.parts()) parts.push(part)
  expect(parts.length).toBeGreaterThan(2)
  expect(turns.taken()).toBe(100 + parts.length - 1)
  const whole = Buffer.concat(parts)
  expect([first.length, second.length]).toEqual([whole.length, whole.length])
  const { paths } = JSON.parse(whole.toString()) as { readonly paths: object }
  expect(Object.keys(paths).filter((path) => path.startsWith('/v1/tools/many.'))).toHaveLength(
    1_000,
  )
})

test('a page of tools is described ten a turn, whatever is left out of it', async () => {
  const turns = countTurns()
  const server = await listen(
    (port) =>
      httpHandler({
        runtime: openRuntime(450),
        identity: {
          authenticate: () => ({ caller, credential: 'ann' }),
          authenticateSession: async () => undefined,
        },
        publicUrl: `http://127.0.0.1:${port}`,
        edge: { ...createEdge(), listings: turns },
      }),
    { port: 0, hostname: '127.0.0.1' },
  )
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { authorization: 'Bearer t' },
    })
    const text = await response.text()
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    return JSON.parse(text).data as { readonly items: readonly { readonly id: string }[] }
  }
  const { items } = await get('/v1/tools?limit=200')
  expect(items.map(({ id }) => id)).toEqual(
    Array.from({ length: 200 }, (_, index) => `many.tool${String(index).padStart(4, '0')}`),
  )
  expect(turns.taken()).toBe(21)
  expect((await get('/v1/tools?category=communication')).items).toEqual([])
  expect(turns.taken()).toBe(21)
  await server.close(0)
})
