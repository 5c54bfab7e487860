import type { Caller } from '@surehand/core'
import { afterEach, describe, expect, test } from 'vitest'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, openShop } from './fixtures/shop.ts'

const URI = 'surehand://audit/head'
const admin: Caller = { ...ann, principal: 'root', actor: 'user', roles: ['admin'] }
const callers = {
  ann,
  admin,
  agent: { ...admin, actor: 'ai_agent' },
  elsewhere: { ...admin, tenant: 'globex' },
} as const
const heads = new Map([
  [
    'acme',
    { tenant: 'acme', size: 12, root: 'ab'.repeat(32), signed_at: 1, key_id: 'k', signature: 's' },
  ],
])
const audit = { head: async (tenant: string) => heads.get(tenant) }

let served: Served | undefined
afterEach(() => served?.close())

describe.each<Era>(['2026', '2025'])("the audit's latest head, for clients of %s", (era) => {
  test('is listed for administrators, with the signed head of their own tenant', async () => {
    served = await serve(openShop().runtime, callers, { audit })
    const client = await served.connect(era, 'admin')
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain(URI)
    const { contents } = await client.readResource({ uri: URI })
    expect(contents).toEqual([
      { uri: URI, mimeType: 'application/json', text: JSON.stringify({ head: heads.get('acme') }) },
    ])
    const elsewhere = await served.connect(era, 'elsewhere')
    expect((await elsewhere.readResource({ uri: URI })).contents).toMatchObject([
      { text: '{"head":null}' },
    ])
  })

  test.each(['ann', 'agent'])('is not there for %s', async (token) => {
    served = await serve(openShop().runtime, callers, { audit })
    const client = await served.connect(era, token)
    expect((await client.listResources()).resources.map(({ uri }) => uri)).not.toContain(URI)
    await expect(client.readResource({ uri: URI })).rejects.toThrow(/not found/i)
  })

  test('does not exist where the server has no audit', async () => {
    served = await serve(openShop().runtime, callers)
    const client = await served.connect(era, 'admin')
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).not.toContain(URI)
    await expect(client.readResource({ uri: URI })).rejects.toThrow(/not found/i)
  })
})
