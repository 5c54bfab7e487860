import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, openShop, type Shop } from './fixtures/shop.ts'
import { ENVELOPE_META } from './reply.ts'
import { KEY_META } from './request.ts'

function dataOf({ content }: Awaited<ReturnType<Client['callTool']>>): unknown {
  const [first] = content
  return first?.type === 'text' ? JSON.parse(first.text) : undefined
}

describe.each<Era>(['2026', '2025'])('compact mode for clients of %s', (era) => {
  let shop: Shop
  let served: Served
  let client: Client

  beforeAll(async () => {
    shop = openShop()
    served = await serve(shop.runtime, { ann }, { mode: 'compact' })
    client = await served.connect(era, 'ann')
  })
  afterAll(() => served.close())

  test('lists four tools, however many there are', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'tools__search',
      'tools__describe',
      'tools__call',
      'surehand__result',
    ])
  })

  test('finds, describes and calls a tool', async () => {
    const found = await client.callTool({ name: 'tools__search', arguments: { query: 'price' } })
    expect(found.content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(
          /^shop__price: .{5,110} \(\d+ tokens\)\nRead the schema of one with tools__describe/,
        ),
      },
    ])
    const described = await client.callTool({
      name: 'tools__describe',
      arguments: { name: 'shop__price' },
    })
    expect(dataOf(described)).toMatchObject({
      name: 'shop__price',
      inputSchema: { required: ['product'] },
    })
    const called = await client.callTool({
      name: 'tools__call',
      arguments: { name: 'shop__price', arguments: { product: 'tea' } },
    })
    expect(called.structuredContent).toEqual({ amount: 3, currency: 'EUR' })
  })

  test('keeps a key through the one tool that calls', async () => {
    const order = {
      name: 'tools__call',
      arguments: { name: 'shop__order', arguments: { product: 'tea' } },
      _meta: { [KEY_META]: 'a key' },
    }
    await client.callTool(order)
    const second = await client.callTool(order)
    expect(second._meta?.[ENVELOPE_META]).toMatchObject({
      command: 'shop.order',
      metadata: { source: 'replayed' },
    })
    expect(shop.orders).toEqual(['tea'])
  })

  test('hides what the caller may not use', async () => {
    await expect(
      client.callTool({ name: 'tools__describe', arguments: { name: 'shop__ledger' } }),
    ).rejects.toMatchObject({ code: -32602 })
    const found = await client.callTool({ name: 'tools__search', arguments: { query: 'ledger' } })
    expect(JSON.stringify(found.content)).not.toContain('shop__ledger')
  })
})
