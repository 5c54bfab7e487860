import { definePack, type Pack, type Tool } from '@surehand/core'
import { isBuiltInTool } from './config/built-in.ts'
import type { Config } from './config/read-config.ts'
import { DEMO_GRANTS } from './demo/grants.ts'

// Tools that call no other tool: an app that is opened for one of them loads none of the rest.
const STANDALONE_TOOLS: Readonly<Record<string, () => Promise<Tool>>> = {
  'shop.price': async () => (await import('./demo/price.ts')).price,
  'shop.buy': async () => (await import('./demo/buy.ts')).buy,
  'shop.orders': async () => (await import('./demo/orders.ts')).orders,
  'shop.countStock': async () => (await import('./demo/count-stock.ts')).countStock,
}

/** Those of the configured packs, without the tools that every server has for administrators. */
export function configuredTools(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(({ id }) => !id.startsWith('registry.'))
}

/** The packs of the server itself, with one tool or with all. */
export async function loadServerPacks(
  { packs, demo }: Pick<Config, 'packs' | 'demo'>,
  tool: string | undefined,
): Promise<readonly Pack[]> {
  const hasFeed = packs.some(({ name }) => name === 'personal' || name === 'events')
  const isFeedNeeded = hasFeed && (!isBuiltInTool(tool) || tool === 'data.feed_address')
  const isRegistryNeeded = !isBuiltInTool(tool) || tool.startsWith('registry.')
  return [
    ...(isRegistryNeeded ? [(await import('./registry/registry-tools.ts')).registryPack] : []),
    ...(isFeedNeeded ? [(await import('./packs/feed-address.ts')).feedPack] : []),
    ...(demo ? [await loadDemoPack(tool)] : []),
  ]
}

// The grants apply to roles also where none of the demo tools is loaded.
async function loadDemoPack(tool: string | undefined): Promise<Pack> {
  if (!isBuiltInTool(tool) || tool === 'shop.gift') return (await import('./demo/pack.ts')).demoPack
  const load = STANDALONE_TOOLS[tool]
  return definePack({
    name: 'demo',
    tools: load === undefined ? [] : [await load()],
    grants: DEMO_GRANTS,
  })
}
