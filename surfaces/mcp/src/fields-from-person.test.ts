import type { ClientOptions } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, test } from 'vitest'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, HOST, openShop } from './fixtures/shop.ts'

let served: Served | undefined
afterEach(() => served?.close())

const asking = { capabilities: { elicitation: { form: {} } } } as ClientOptions

describe.each<Era>(['2026', '2025'])('fields that a person fills in, for clients of %s', (era) => {
  test('are asked before the approval, and both answers hold', async () => {
    const shop = openShop()
    shop.policies.set('acme', { version: 1, trustedHosts: [HOST] })
    served = await serve(
      shop.runtime,
      { ann },
      { hostOf: () => HOST, fromPerson: () => ['product'] },
    )
    const client = await served.connect(era, 'ann', asking)
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: 'accept',
      content: params.message.startsWith('Order a clock?')
        ? { confirm: true }
        : { product: 'a clock' },
    }))
    const answer = await client.callTool({ name: 'shop__orderDear', arguments: {} })
    expect(answer.structuredContent).toEqual({ order: 'order 1' })
    expect(shop.orders).toEqual(['a clock'])
  })

  test('that the model gave are not asked again', async () => {
    served = await serve(openShop().runtime, { ann }, { fromPerson: () => ['product'] })
    const client = await served.connect(era, 'ann', asking)
    const answer = await client.callTool({ name: 'shop__price', arguments: { product: 'tea' } })
    expect(answer.structuredContent).toEqual({ amount: 3, currency: 'EUR' })
  })

  test('are an input error where the client cannot ask, or the user does not answer', async () => {
    served = await serve(openShop().runtime, { ann }, { fromPerson: () => ['product'] })
    const mute = await served.connect(era, 'ann')
    expect((await mute.callTool({ name: 'shop__price', arguments: {} })).isError).toBe(true)
    const client = await served.connect(era, 'ann', asking)
    client.setRequestHandler('elicitation/create', async () => ({ action: 'decline' }))
    expect((await client.callTool({ name: 'shop__price', arguments: {} })).isError).toBe(true)
  })
})
