import type { Client, ClientOptions } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, test } from 'vitest'
import { callIdOf } from './fixtures/call-id-of.ts'
import { type Rpc, rawClient } from './fixtures/raw-client.ts'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, bob, HOST, openShop, type Shop } from './fixtures/shop.ts'
import { ENVELOPE_META } from './reply.ts'

const teapot = { name: 'shop__orderDear', arguments: { product: 'a teapot' } }
const trusting = { version: 1, trustedHosts: [HOST] }

let served: Served | undefined
afterEach(() => served?.close())

type Answer = {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Record<string, boolean>
}
const yes: Answer = { action: 'accept', content: { confirm: true } }

async function askingClient(
  shop: Shop,
  era: Era,
  answer: Answer,
): Promise<{ readonly client: Client; readonly asked: string[] }> {
  served = await serve(
    shop.runtime,
    { ann, bob },
    { hostOf: () => HOST, approvalUrl: (id) => `https://pages.example.com/approvals/${id}` },
  )
  const client = await served.connect(era, 'ann', {
    capabilities: { elicitation: { form: {} } },
  } as ClientOptions)
  const asked: string[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message)
    return answer
  })
  return { client, asked }
}

describe.each<Era>(['2026', '2025'])('a question to a person, for clients of %s', (era) => {
  test('is put by a client that can ask, and the approval of a trusted host runs the call', async () => {
    const shop = openShop()
    shop.policies.set('acme', trusting)
    const { client, asked } = await askingClient(shop, era, yes)
    const answer = await client.callTool(teapot)
    expect(answer.structuredContent).toEqual({ order: 'order 1' })
    expect(asked).toEqual([expect.stringContaining('Order a teapot?')])
    expect(shop.orders).toEqual(['a teapot'])
  })

  test('stays open when the host is not trusted, whatever it relays', async () => {
    const shop = openShop()
    const { client } = await askingClient(shop, era, yes)
    const answer = await client.callTool(teapot)
    expect(answer.isError).toBeUndefined()
    expect(JSON.stringify(answer.content)).toContain('Nothing has been done yet')
    expect(shop.orders).toEqual([])
  })

  test('that is declined is denied, and asking again does not help', async () => {
    const shop = openShop()
    shop.policies.set('acme', trusting)
    const { client, asked } = await askingClient(shop, era, { action: 'decline' })
    await client.callTool(teapot)
    const again = await client.callTool(teapot)
    expect(again._meta?.[ENVELOPE_META]).toMatchObject({ error: { code: 'TOOL_APPROVAL_DENIED' } })
    expect(asked).toHaveLength(1)
    expect(shop.orders).toEqual([])
  })

  test('for an irreversible call is not put to the client at all: a link says where it is decided', async () => {
    const shop = openShop()
    shop.policies.set('acme', trusting)
    const { client, asked } = await askingClient(shop, era, yes)
    const answer = await client.callTool({
      name: 'shop__burn',
      arguments: { product: 'everything' },
    })
    expect(asked).toEqual([])
    expect(answer.isError).toBeUndefined()
    expect(JSON.stringify(answer.content)).toMatch(
      /Nothing has been done yet.*https:\/\/pages\.example\.com\/approvals\/appr_/,
    )
    expect(shop.orders).toEqual([])
  })

  test('is a call id, and the tool that fetches its answer, for a client that cannot ask', async () => {
    const shop = openShop()
    shop.policies.set('acme', trusting)
    served = await serve(shop.runtime, { ann }, { hostOf: () => HOST })
    const client = await served.connect(era, 'ann')
    const answer = await client.callTool(teapot)
    const [text] = answer.content as readonly { readonly text: string }[]
    expect(text?.text).toContain(`Call: ${callIdOf(answer)}\n`)
    expect(text?.text).toContain('surehand__result')
    expect(shop.orders).toEqual([])
  })
})

describe('a requestState', () => {
  type Send = (token: string, params: Readonly<Record<string, unknown>>) => Promise<Rpc>

  async function startApproval(
    shop: Shop,
  ): Promise<{ readonly send: Send; readonly state: string }> {
    shop.policies.set('acme', trusting)
    const opened = await serve(shop.runtime, { ann, bob }, { hostOf: () => HOST })
    served = opened
    const send: Send = (token, params) =>
      rawClient(opened, token, { elicitation: {} }).send('tools/call', params)
    const { result } = await send('ann', teapot)
    expect(result).toMatchObject({ resultType: 'input_required' })
    return { send, state: String(result?.requestState) }
  }

  const acceptWith = (state: string) => ({
    ...teapot,
    inputResponses: { approval: yes },
    requestState: state,
  })

  test('serves once: brought again it decides nothing and answers how the call stands', async () => {
    const shop = openShop()
    const { send, state } = await startApproval(shop)
    const first = await send('ann', acceptWith(state))
    const second = await send('ann', acceptWith(state))
    expect(first.result?.structuredContent).toEqual({ order: 'order 1' })
    expect(second.result?.structuredContent).toEqual({ order: 'order 1' })
    expect(shop.orders).toEqual(['a teapot'])
  })

  test('of one order does not approve another', async () => {
    const shop = openShop()
    const { send, state } = await startApproval(shop)
    const { error } = await send('ann', { ...acceptWith(state), arguments: { product: 'a yacht' } })
    expect(error?.code).toBe(-32602)
    expect(shop.orders).toEqual([])
  })

  test('of one person is worth nothing to another', async () => {
    const shop = openShop()
    const { send, state } = await startApproval(shop)
    expect((await send('bob', acceptWith(state))).error?.code).toBe(-32602)
    expect(shop.orders).toEqual([])
  })

  test('that was changed is refused', async () => {
    const shop = openShop()
    const { send, state } = await startApproval(shop)
    const [body = '', mac] = state.split('.')
    const forged = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), principal: 'bob' }
    const changed = `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${mac}`
    expect((await send('bob', acceptWith(changed))).error?.code).toBe(-32602)
    expect(shop.orders).toEqual([])
  })
})
