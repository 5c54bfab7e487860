import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callIdOf } from './fixtures/call-id-of.ts'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, foreigner, openShop, type Shop } from './fixtures/shop.ts'
import { ENVELOPE_META } from './reply.ts'
import { KEY_META } from './request.ts'

describe.each<Era>(['2026', '2025'])('tools for clients of %s', (era) => {
  let shop: Shop
  let served: Served
  let client: Client

  beforeAll(async () => {
    shop = openShop()
    served = await serve(shop.runtime, { ann, foreigner }, { pageSize: 2 })
    client = await served.connect(era, 'ann')
  })
  afterAll(() => served.close())

  test('are listed page by page, in one order, and only those the caller may use', async () => {
    const pages: string[][] = []
    for (let cursor: string | undefined; pages.length < 9; ) {
      const page = await client.request({
        method: 'tools/list',
        params: cursor === undefined ? {} : { cursor },
      })
      pages.push(page.tools.map(({ name }) => name))
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    expect(pages).toEqual([
      ['shop__burn', 'shop__order'],
      ['shop__orderDear', 'shop__orderLater'],
      ['shop__price', 'shop__wait'],
      ['shop__waitLater', 'surehand__result'],
    ])
  })

  test('show a model no key field, and say what they do to the world', async () => {
    const { tools } = await client.listTools()
    const order = tools.find(({ name }) => name === 'shop__order')
    expect(order?.inputSchema.properties).toEqual({ product: { type: 'string' } })
    expect(order?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    })
  })

  test('a foreign cursor is refused', async () => {
    await expect(
      client.request({ method: 'tools/list', params: { cursor: 'x' } }),
    ).rejects.toMatchObject({ code: -32602 })
  })

  test('answer a program that asks for it with structured content, and the same as text', async () => {
    const answer = await client.callTool({ name: 'shop__price', arguments: { product: 'tea' } })
    expect(answer).toMatchObject({
      content: [{ type: 'text', text: '{"amount":3,"currency":"EUR"}' }],
      structuredContent: { amount: 3, currency: 'EUR' },
      _meta: { [ENVELOPE_META]: { status: 'success', command: 'shop.price' } },
    })
    expect(answer.isError).toBeUndefined()
  })

  test('an error in the input is reported to the model, with the field', async () => {
    const answer = await client.callTool({ name: 'shop__price', arguments: {} })
    expect(answer.isError).toBe(true)
    expect(JSON.stringify(answer.content)).toContain('product')
    expect(answer._meta?.[ENVELOPE_META]).toMatchObject({
      status: 'failed',
      data: null,
      error: { code: 'TOOL_MISSING_REQUIRED_FIELD' },
    })
  })

  test('a tool that does not exist is an error of the protocol, with a hint', async () => {
    await expect(client.callTool({ name: 'shop__pricee', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: 'There is no tool called "shop__pricee". Did you mean shop__price?',
    })
  })

  test('a key in _meta makes the second call an answer from the ledger', async () => {
    const order = {
      name: 'shop__order',
      arguments: { product: `a ${era} teapot` },
      _meta: { [KEY_META]: `key of ${era}` },
    }
    const first = await client.callTool(order)
    const second = await client.callTool(order)
    expect(second.structuredContent).toEqual(first.structuredContent)
    expect(second._meta?.[ENVELOPE_META]).toMatchObject({ metadata: { source: 'replayed' } })
    expect(shop.orders).toEqual([`a ${era} teapot`])
  })

  test('a key that a model made up in the arguments is none', async () => {
    const product = `a ${era} kettle`
    const arguments_ = { product, idempotencyKey: `made up in ${era}` }
    for (const _ of [1, 2]) await client.callTool({ name: 'shop__order', arguments: arguments_ })
    expect(shop.orders.filter((ordered) => ordered === product)).toHaveLength(2)
  })

  test('a key in the arguments is refused where it differs from the one in _meta', async () => {
    const _meta = { [KEY_META]: `a program's key in ${era}` }
    const order = {
      name: 'shop__order',
      arguments: { product: `a ${era} cup`, idempotencyKey: 'another' },
      _meta,
    }
    expect((await client.callTool(order))._meta?.[ENVELOPE_META]).toMatchObject({
      error: { code: 'TOOL_INVALID_INPUT' },
    })
    expect(shop.orders).not.toContain(`a ${era} cup`)
  })

  test('progress is reported to clients that ask for it, and a client that leaves cancels its call', async () => {
    const reported: unknown[] = []
    const leave = new AbortController()
    const call = client.callTool(
      { name: 'shop__wait', arguments: {} },
      {
        signal: leave.signal,
        onprogress: (progress) => {
          reported.push(progress)
          leave.abort()
        },
      },
    )
    await expect(call).rejects.toThrow()
    expect(reported).toEqual([{ progress: 10, total: 100, message: 'waiting' }])
    // A client that leaves cancels its call.
    await expect.poll(() => shop.aborted).toEqual(['shop.wait'])
  })

  test('another tenant sees nothing of a call', async () => {
    const uri = `surehand://calls/${callIdOf(await client.callTool({ name: 'shop__order', arguments: { product: 'a secret' } }))}`
    const own = await client.readResource({ uri })
    expect(JSON.stringify(own.contents)).toContain('order')
    const other = await served.connect(era, 'foreigner')
    await expect(other.readResource({ uri })).rejects.toThrow(/not found/i)
  })

  test("a tool's page can be read as a resource", async () => {
    const { contents } = await client.readResource({ uri: 'surehand://tools/shop__price' })
    expect(contents).toEqual([
      expect.objectContaining({
        mimeType: 'text/markdown',
        text: expect.stringMatching(
          /^# Look up a price[\s\S]*version 1\.0\.0, definition [0-9a-f]{64}\./,
        ),
      }),
    ])
    await expect(client.readResource({ uri: 'surehand://tools/shop__ledger' })).rejects.toThrow(
      /not found/i,
    )
  })
})
