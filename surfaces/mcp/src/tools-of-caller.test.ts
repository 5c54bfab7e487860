import { createRuntime, definePack, defineTool, memoryStores } from '@surehand/core'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, foreigner, openShop } from './fixtures/shop.ts'

let served: Served | undefined
afterEach(() => served?.close())

async function namesFor(era: Era, token: string): Promise<readonly string[]> {
  const client = await (served as Served).connect(era, token)
  return (await client.listTools()).tools.map(({ name }) => name)
}

describe.each<Era>(['2026', '2025'])('the tools listed to a client of %s', (era) => {
  test('are those that the caller may use: within a tenant, more rights show more tools', async () => {
    const clerk = { ...ann, principal: 'clerk', capabilities: ['ledger.read'] }
    served = await serve(openShop().runtime, { ann, clerk })
    expect(await namesFor(era, 'ann')).not.toContain('shop__ledger')
    expect(await namesFor(era, 'clerk')).toContain('shop__ledger')
    expect(await namesFor(era, 'ann')).not.toContain('shop__ledger')
  })

  test("follow the policy of the caller's tenant, and of no other", async () => {
    const shop = openShop()
    served = await serve(shop.runtime, { ann, foreigner })
    expect(await namesFor(era, 'ann')).toContain('shop__burn')
    shop.policies.set('acme', { version: 1, disabledTools: ['shop.burn'] })
    expect(await namesFor(era, 'ann')).not.toContain('shop__burn')
    expect(await namesFor(era, 'foreigner')).toContain('shop__burn')
  })

  test('follow a policy in the store from the first request of a process', async () => {
    const tool = defineTool({
      id: 'lamp.light',
      title: 'Light',
      category: 'custom',
      description: 'Lights a lamp.',
      input: z.object({}),
      output: z.string(),
      contract: { effect: 'read' },
      execute: async () => 'lit',
    })
    const packs = [definePack({ name: 'lamps', tools: [tool] })]
    const stores = memoryStores()
    const admin = { ...ann, actor: 'user', roles: ['admin'] } as const
    await createRuntime({ packs, stores }).administration.change(admin, {
      kind: 'policy',
      id: 'tenant',
      value: { disabledTools: ['lamp.*'] },
    })
    served = await serve(createRuntime({ packs, stores }), { ann, foreigner })
    expect(await namesFor(era, 'ann')).toEqual(['surehand__result'])
    const client = await served.connect(era, 'ann')
    await expect(client.readResource({ uri: 'surehand://tools/lamp__light' })).rejects.toThrow(
      /not found/i,
    )
    expect(await namesFor(era, 'foreigner')).toEqual(['lamp__light', 'surehand__result'])
  })
})
