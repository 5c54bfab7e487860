import { definePack } from '@surehand/core'
import { buy } from './buy.ts'
import { countStock } from './count-stock.ts'
import { gift } from './gift.ts'
import { DEMO_GRANTS } from './grants.ts'
import { orders } from './orders.ts'
import { price } from './price.ts'

/** Tools to try out: nothing real is bought, and every answer says so. */
export const demoPack = definePack({
  name: 'demo',
  tools: [price, buy, orders, countStock, gift],
  grants: DEMO_GRANTS,
})
