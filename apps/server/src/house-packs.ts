import { definePack, type Pack, type Tool } from '@surehand/core'
import { isKnown } from './config/built-in.ts'
import type { Config } from './config/read-config.ts'
import { DEMO_GRANTS } from './demo/grants.ts'

// those that call no other: a house for one of them needs none of the rest
const ALONE: Readonly<Record<string, () => Promise<Tool>>> = {
  'shop.price': async () => (await import('./demo/price.ts')).price,
  'shop.buy': async () => (await import('./demo/buy.ts')).buy,
  'shop.orders': async () => (await import('./demo/orders.ts')).orders,
  'shop.countStock': async () => (await import('./demo/count-stock.ts')).countStock,
}

/** What the house brings itself, for one tool or for all. */
export async function housePacks(
  { packs, demo }: Pick<Config, 'packs' | 'demo'>,
  tool: string | undefined,
): Promise<readonly Pack[]> {
  const hasPersonal = packs.some(({ name }) => name === 'personal')
  const isFeedNeeded = hasPersonal && (!isKnown(tool) || tool === 'data.feed_address')
  return [
    ...(isFeedNeeded ? [(await import('./packs/feed-address.ts')).feedPack] : []),
    ...(demo ? [await demoFor(tool)] : []),
  ]
}

// its roles are given what they are given, also where none of its tools is loaded
async function demoFor(tool: string | undefined): Promise<Pack> {
  if (!isKnown(tool) || tool === 'shop.gift') return (await import('./demo/pack.ts')).demoPack
  const load = ALONE[tool]
  return definePack({
    name: 'demo',
    tools: load === undefined ? [] : [await load()],
    grants: DEMO_GRANTS,
  })
}
