import { createRuntime, definePack, defineTool, memoryStores } from '@surehand/core'
import { createEdge, type FairTurns } from '@surehand/edge'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { httpHandler, ROUTES } from './http-handler.ts'
import { listen } from './listen.ts'
import { openApi } from './openapi.ts'
import { writePage } from './paging.ts'

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

const openSurface = (count: number) => ({
  runtime: openRuntime(count),
  origin: 'https://tools.example',
  edge: createEdge(),
})

test('the OpenAPI document pauses before each tool and each part of it, and is written once for all who may use the same', async () => {
  const surface = openSurface(1_000)
  let pauses = 0
  const pace = () => void pauses++
  const request = { caller, surface, routes: ROUTES, pace }
  const first = await openApi(request)
  expect(pauses).toBeGreaterThan(1_000)
  pauses = 0
  const second = await openApi({ ...request, caller: { ...caller, principal: 'ben' } })
  expect(pauses).toBe(0)

  const parts: Uint8Array[] = []
  for await (const part of second.body) parts.push(part)
  expect(parts.length).toBeGreaterThan(2)
  expect(pauses).toBe(parts.length)
  const whole = Buffer.concat(parts)
  expect([first.length, second.length]).toEqual([whole.length, whole.length])
  const { paths } = JSON.parse(whole.toString()) as { readonly paths: object }
  expect(Object.keys(paths).filter((path) => path.startsWith('/v1/tools/many.'))).toHaveLength(
    1_000,
  )
})

test('further requests of a client get the OpenAPI document that they waited for when the first one is given up', async () => {
  const surface = openSurface(10)
  const gone = new Error('The client has disconnected.')
  let steps = 0
  const leaving = openApi({
    caller,
    surface,
    routes: ROUTES,
    pace: async () => {
      if (++steps === 5) throw gone
    },
  })
  const others = [1, 2].map(() =>
    openApi({ caller, surface, routes: ROUTES, pace: () => undefined }),
  )
  await expect(leaving).rejects.toBe(gone)
  for (const { body, length } of await Promise.all(others))
    expect((await new Response(body).bytes()).length).toBe(length)
})

test('another client does not wait for an OpenAPI document at the pace of the first', async () => {
  const surface = openSurface(10)
  const never = new Promise<void>(() => undefined)
  void openApi({ caller, surface, routes: ROUTES, pace: () => never })
  const ben = { ...caller, principal: 'ben' }
  const { body, length } = await openApi({
    caller: ben,
    surface,
    routes: ROUTES,
    pace: () => undefined,
  })
  expect((await new Response(body).bytes()).length).toBe(length)
})

test('a page of tools is described and written in several turns, whatever is left out of it', async () => {
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
  expect(turns.taken()).toBeGreaterThan(2)
  expect((await get('/v1/tools?category=communication')).items).toEqual([])
  await server.close(0)
})

test('the export of the audit is written in parts, in several turns', async () => {
  const turns = countTurns()
  const lines = Array.from({ length: 20_000 }, (_, index) => `{"position":${index},"text":"é"}`)
  const server = await listen(
    (port) =>
      httpHandler({
        runtime: openRuntime(1),
        identity: {
          authenticate: () => ({ caller: { ...caller, roles: ['admin'] }, credential: 'ann' }),
          authenticateSession: async () => undefined,
        },
        publicUrl: `http://127.0.0.1:${port}`,
        edge: { ...createEdge(), listings: turns },
        audit: {
          ...memoryStores().audit,
          async *export() {
            yield* lines
          },
        },
      }),
    { port: 0, hostname: '127.0.0.1' },
  )
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/audit/export`, {
    headers: { authorization: 'Bearer t' },
  })
  expect(await response.text()).toBe(`${lines.join('\n')}\n`)
  expect(turns.taken()).toBeGreaterThan(2)
  await server.close(0)
})

test('a page of any list is written item by item, with a pause before each', async () => {
  const items = [{ text: 'é' }, { text: '\u0000items' }, Buffer.from('{"written":true}')]
  let pauses = 0
  const page = await writePage({ items, next_cursor: 'more' }, () => void pauses++)
  expect(pauses).toBe(3)
  const { length, body } = page.insertItems(JSON.stringify({ data: page, last: 1 }))
  const text = await new Response(body).text()
  expect(text).toBe(
    '{"data":{"items":[{"text":"é"},{"text":"\\u0000items"},{"written":true}],"next_cursor":"more"},"last":1}',
  )
  expect(length).toBe(Buffer.byteLength(text))
})

test('the paths of the surface are described a few at a time, and other work is done in between', async () => {
  const surface = openSurface(1)
  let turns = 0
  const count = (): void => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await openApi({ caller, surface, routes: ROUTES, pace: () => undefined })
  clearImmediate(next)
  expect(turns).toBeGreaterThan(2)
})
