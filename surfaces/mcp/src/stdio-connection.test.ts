import { Buffer } from 'node:buffer'
import { createRuntime, definePack, defineTool, memoryStores } from '@surehand/core'
import { sleep, systemClock } from '@surehand/core/ports'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ann, openShop, type Shop } from './fixtures/shop.ts'
import { META, type StdioClient, stdioClient } from './fixtures/stdio-client.ts'
import { KEY_META } from './request.ts'

const price = { name: 'shop__price', arguments: { product: 'tea' } }
const order = { name: 'shop__order', arguments: { product: 'tea' } }
const wait = { name: 'shop__wait', arguments: {} }

let client: StdioClient | undefined
afterEach(() => client?.connection.end())

function open(options: Parameters<typeof stdioClient>[2] = {}): {
  readonly shop: Shop
  readonly client: StdioClient
} {
  const shop = openShop()
  client = stdioClient(shop.runtime, ann, options)
  return { shop, client }
}

const waitForEnd = async ({ connection }: StdioClient) => {
  await connection.closed
  return 'ended'
}

describe('a client of 2026 on a pipe', () => {
  test('discovers, lists and calls without a handshake', async () => {
    const { client } = open()
    client.ask(1, 'server/discover')
    client.ask('two', 'tools/list')
    client.ask(3, 'tools/call', price)
    expect((await client.answerTo(1)).result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
    })
    const listed = (await client.answerTo('two')).result?.tools as readonly {
      readonly name: string
    }[]
    expect(listed.map(({ name }) => name)).toContain('shop__price')
    expect((await client.answerTo(3)).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { amount: 3, currency: 'EUR' },
    })
  })

  test('gets quick answers while a slow call runs, in lines of their own', async () => {
    const { client } = open()
    client.ask(1, 'tools/call', wait)
    for (let id = 2; id < 50; id++) client.ask(id, 'tools/call', price)
    await client.answerTo(49)
    expect(
      client.said.map(({ id }) => id).toSorted((left, right) => Number(left) - Number(right)),
    ).toEqual(Array.from({ length: 48 }, (_, index) => index + 2))
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  })

  test('gets progress, and nothing more of a call that it cancels', async () => {
    const { client, shop } = open()
    client.ask('slow', 'tools/call', { ...wait, _meta: { progressToken: 'p' } })
    await expect
      .poll(() => client.said)
      .toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 'p', progress: 10, total: 100, message: 'waiting' },
        },
      ])
    client.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'slow', reason: 'enough' },
    })
    await expect.poll(() => shop.aborted).toEqual(['shop.wait'])
    client.ask('after', 'tools/call', price)
    await client.answerTo('after')
    expect(client.said.map(({ id }) => id)).toEqual([undefined, 'after'])
  })

  test('cancels the call of that id and no other, a text not being a number', async () => {
    const { client, shop } = open()
    client.ask(1, 'tools/call', wait)
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '1' } })
    client.ask(2, 'tools/call', price)
    await client.answerTo(2)
    expect(shop.aborted).toEqual([])
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await expect.poll(() => shop.aborted).toEqual(['shop.wait'])
  })

  test('finds what has no quick path with the SDK, also behind what has', async () => {
    const { client } = open()
    client.ask(1, 'tools/call', price)
    await client.answerTo(1)
    client.ask(2, 'resources/read', { uri: 'surehand://tools/shop__price' })
    expect(JSON.stringify((await client.answerTo(2)).result)).toContain('Look up a price')
  })

  test('is one of 2026 from its first call on, for the SDK too: an initialize is refused', async () => {
    const { client } = open()
    client.ask(1, 'tools/call', price)
    await client.answerTo(1)
    client.send({ jsonrpc: '2.0', id: 2, method: 'initialize', params: initialize })
    expect((await client.answerTo(2)).error).toBeDefined()
    client.ask(3, 'tools/call', price)
    expect((await client.answerTo(3)).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { amount: 3 },
    })
  })

  test('is refused by the SDK where a request is not in order', async () => {
    const { client } = open()
    client.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
    })
    expect((await client.answerTo(1)).error?.code).toBe(-32022)
    client.ask(2, 'tools/call', { name: 'shop__nothing' })
    expect((await client.answerTo(2)).error?.code).toBe(-32602)
  })

  test('that subscribed is notified that the tools have changed', async () => {
    const { client } = open()
    client.ask('news', 'subscriptions/listen', { notifications: { toolsListChanged: true } })
    await expect.poll(() => client.said.length).toBeGreaterThan(0)
    client.connection.toolsChanged()
    await expect
      .poll(() => client.said.map(({ method }) => method))
      .toContain('notifications/tools/list_changed')
  })
})

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

describe('a client of 2025 on a pipe', () => {
  test('may discover the server and then continue with its own revision', async () => {
    const { client } = open()
    client.ask(1, 'server/discover')
    await client.answerTo(1)
    client.send({ jsonrpc: '2.0', id: 2, method: 'initialize', params: initialize })
    expect((await client.answerTo(2)).result).toMatchObject({ protocolVersion: '2025-11-25' })
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    client.send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: price })
    const { result } = await client.answerTo(3)
    expect(result?.content).toEqual([{ type: 'text', text: '{"amount":3,"currency":"EUR"}' }])
    expect(result).not.toHaveProperty('resultType')
  })

  test('cancels its call, and its answers come though stdin has closed', async () => {
    const { client, shop } = open()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })
    client.send({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { ...wait, _meta: { progressToken: 1 } },
    })
    await expect
      .poll(() => client.said.map(({ method }) => method))
      .toContain('notifications/progress')
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
    await expect.poll(() => shop.aborted).toEqual(['shop.wait'])
    client.send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: order })
    client.input.end()
    expect(await waitForEnd(client)).toBe('ended')
    expect((await client.answerTo(3)).result).toMatchObject({
      content: [{ type: 'text', text: '{"order":"order 1"}' }],
    })
  })
})

describe('a line', () => {
  const alive = async (client: StdioClient) => {
    client.ask('alive', 'tools/call', price)
    expect((await client.answerTo('alive')).result).toBeDefined()
  }

  test.each([
    ['that is no JSON', '{"jsonrpc":', -32700, null],
    ['that is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32700, null],
    [
      'that could be read in two ways',
      '{"jsonrpc":"2.0","id":9,"id":9,"method":"tools/list"}',
      -32700,
      9,
    ],
    ['that is JSON and no message', '[1,2]', -32600, null],
    ['that is not a JSON-RPC message', '{"id":8,"method":"tools/list"}', -32600, 8],
  ])('%s is refused, and the next one is served', async (_, line, code, id) => {
    const { client } = open()
    client.input.write(line)
    client.input.write('\n')
    await expect
      .poll(() => client.said)
      .toEqual([{ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } }])
    await alive(client)
  })

  test('that is too long is dropped as it comes, refused once, and the next one is served', async () => {
    const { client } = open()
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    client.input.write(megabyte)
    client.input.write(megabyte)
    // before its end has come, if it ever does
    await expect.poll(() => client.said.length).toBe(1)
    for (let count = 0; count < 16; count++) client.input.write(megabyte)
    client.input.write('\n')
    await alive(client)
    expect(client.said.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      ['alive', undefined],
    ])
  })

  test('may come in pieces, several at once, with either line end, and empty', async () => {
    const { client } = open()
    const line = (id: number) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { ...price, _meta: META },
      })
    const text = Buffer.from(`${line(1)}\r\n\n\r\n${line(2)}\n${line(3)}\n`)
    for (const byte of text.subarray(0, 40)) client.input.write(Buffer.from([byte]))
    client.input.write(text.subarray(40))
    for (const id of [1, 2, 3]) expect((await client.answerTo(id)).result).toBeDefined()
    expect(client.said).toHaveLength(3)
  })
})

describe('when stdin closes', () => {
  test('what has begun is answered, the last line without its end too', async () => {
    const { client, shop } = open()
    client.ask(1, 'tools/call', order)
    client.input.end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { ...price, _meta: META },
      }),
    )
    expect(await waitForEnd(client)).toBe('ended')
    expect(client.said.map(({ id }) => id).toSorted()).toEqual([1, 2])
    expect(shop.orders).toEqual(['tea'])
  })

  test('a call that would take longer is cancelled and says so', async () => {
    const { client, shop } = open({ finishWithinMs: 50 })
    client.ask(1, 'tools/call', wait)
    client.input.end()
    expect(await waitForEnd(client)).toBe('ended')
    expect(shop.aborted).toEqual(['shop.wait'])
    expect(JSON.stringify(client.said)).toContain('TOOL_CANCELLED')
  })

  test('a call of 2025 that would take longer is cancelled, and its tool has ended too', async () => {
    const { client, shop } = open({ finishWithinMs: 50 })
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })
    client.send({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { ...wait, _meta: { progressToken: 1 } },
    })
    await expect
      .poll(() => client.said.map(({ method }) => method))
      .toContain('notifications/progress')
    client.input.end()
    expect(await waitForEnd(client)).toBe('ended')
    expect(shop.aborted).toEqual(['shop.wait'])
  })

  test('an effect that has begun is brought to its end, and a repeat gets the answer', async () => {
    const sent: string[] = []
    const clock = systemClock()
    const letter = defineTool({
      id: 'post.send',
      title: 'Send a letter',
      category: 'custom',
      description: 'Sends a letter, which cannot be stopped once it is posted.',
      input: z.object({ to: z.string() }),
      output: z.object({ number: z.number() }),
      contract: { effect: 'writes.letter', reversible: true, idempotency: 'caller' },
      async execute({ input, report }) {
        report({ message: 'in the box' })
        await sleep(clock, 300)
        return { number: sent.push(input.to) }
      },
    })
    const runtime = createRuntime({
      packs: [definePack({ name: 'post', tools: [letter] })],
      stores: memoryStores(),
    })
    const call = {
      name: 'post__send',
      arguments: { to: 'bob' },
      _meta: { [KEY_META]: 'a letter to bob' },
    }
    client = stdioClient(runtime, ann, { finishWithinMs: 50 })
    client.ask(1, 'tools/call', { ...call, _meta: { ...call._meta, progressToken: 'p' } })
    await expect
      .poll(() => client?.said.map(({ method }) => method))
      .toEqual(['notifications/progress'])
    client.input.end()
    expect(await waitForEnd(client)).toBe('ended')
    expect(sent).toEqual(['bob'])
    const again = stdioClient(runtime, ann)
    again.ask(2, 'tools/call', call)
    expect((await again.answerTo(2)).result).toMatchObject({ structuredContent: { number: 1 } })
    expect(sent).toEqual(['bob'])
    await again.connection.end()
  })

  test('a subscription does not hold it up', async () => {
    const { client } = open({ finishWithinMs: 60_000 })
    client.ask('news', 'subscriptions/listen', { notifications: { toolsListChanged: true } })
    await expect.poll(() => client.said.length).toBeGreaterThan(0)
    client.input.end()
    expect(await waitForEnd(client)).toBe('ended')
  })
})

test('a client that is gone cancels everything at once, and nothing more is written', async () => {
  const { client, shop } = open({ finishWithinMs: 60_000 })
  client.ask(1, 'tools/call', wait)
  await expect.poll(() => client.input.readableLength).toBe(0)
  client.breakOutput()
  expect(await waitForEnd(client)).toBe('ended')
  expect(shop.aborted).toEqual(['shop.wait'])
  expect(client.said).toEqual([])
})

test('a client that reads slowly is not read from until it has caught up', async () => {
  const { client } = open()
  client.setBehind(true)
  client.ask(1, 'tools/call', price)
  await client.answerTo(1)
  client.ask(2, 'tools/call', price)
  expect(client.input.isPaused()).toBe(true)
  client.setBehind(false)
  await client.answerTo(2)
})
