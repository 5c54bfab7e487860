import { createRuntime, definePack, defineTool, memoryStores } from '@surehand/core'
import { createEdge } from '@surehand/edge'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { httpHandler } from './http-handler.ts'
import { listen } from './listen.ts'

const count = defineTool({
  id: 'numbers.count',
  title: 'Count',
  category: 'custom',
  description: 'Counts numbers.',
  input: z.object({ numbers: z.array(z.number()) }),
  output: z.object({ count: z.number() }),
  contract: { effect: 'none' },
  execute: async ({ input }) => ({ count: input.numbers.length }),
})

const caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
} as const

test.each(['application/json', 'text/event-stream'])(
  'a large input is worked on in many turns, with the answer as %s',
  async (accept) => {
    const edge = createEdge()
    const names: string[] = []
    const server = await listen(
      (port) =>
        httpHandler({
          runtime: createRuntime({
            packs: [definePack({ name: 'numbers', tools: [count] })],
            stores: memoryStores(),
          }),
          identity: {
            authenticate: () => ({ caller, credential: 'ann' }),
            authenticateSession: async () => undefined,
          },
          publicUrl: `http://127.0.0.1:${port}`,
          edge: {
            ...edge,
            listings: {
              next(name, signal) {
                names.push(name)
                return edge.listings.next(name, signal)
              },
            },
          },
        }),
      { port: 0, hostname: '127.0.0.1' },
    )
    const send = async (body: string | Buffer<ArrayBuffer>): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/tools/numbers.count/call`, {
        method: 'POST',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json', accept },
        body,
      })
      return response.text()
    }
    const call = (length: number): Promise<string> =>
      send(JSON.stringify({ numbers: Array.from({ length }, () => 1) }))

    expect(await call(10)).toContain('"count":10')
    expect(names).toEqual([])
    expect(await call(200_000)).toContain('"count":200000')
    // A turn is used up after 2 ms; the work takes 20 and more.
    expect(names.length).toBeGreaterThan(4)
    const texts = JSON.stringify({ numbers: ['é€😀'.repeat(30_000)] })
    expect(await send(texts)).toContain('"provided_value":"é€😀é€😀')
    const cut = Buffer.from(texts)
    expect(await send(cut.fill(0xff, 150_000, 150_001))).toContain('The body is not UTF-8.')
    await server.close(0)
  },
)
