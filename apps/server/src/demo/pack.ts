import { definePack, type ValueStore } from '@surehand/core'
import { buy } from './buy.ts'
import { countStock } from './count-stock.ts'
import { gift } from './gift.ts'
import { orders } from './orders.ts'
import { pretendShop } from './pretend-shop.ts'
import { price } from './price.ts'

/** Tools to try: nothing real is bought, and every answer says so. */
export const demoPack = definePack({
  name: 'demo',
  tools: [price, buy, orders, countStock, gift],
  grants: { user: ['shop.buy', 'shop.read'], admin: ['shop.buy', 'shop.read'] },
})

export function demoProviders(values: ValueStore): Readonly<Record<string, object>> {
  return { demoShop: pretendShop(values) }
}
