import type { Gate } from '@surehand/core'
import type { SiteContracts } from '../contract/site-contract.ts'
import { formatMoney } from '../format-money.ts'
import { shopperOf } from '../visitor-contract.ts'
import type { Commerce } from './commerce-port.ts'

type Ports = { readonly commerce: Commerce; readonly sites: SiteContracts }

const NEVER = new AbortController().signal

/**
 * Refuses an order that would exceed what one session may spend. The sum is exact where it counts:
 * an approval reserves its amount in the database before it is given (session/reserve-spend.ts).
 */
export const withinSpendLimit: Gate<{ readonly cartId: string }, Ports> = {
  name: 'spend_limit',
  async check({ input: { cartId }, caller, ports }) {
    const limit = (await ports.sites.read({ tenant: caller.tenant }, NEVER))?.contract.spendLimit
    if (limit === undefined) return undefined
    const shopper = shopperOf(caller)
    const [cart, spent] = await Promise.all([
      ports.commerce.cart({ shopper, cartId }, NEVER),
      ports.sites.spent({ ...shopper, except: cartId }, NEVER),
    ])
    const total = cart?.totals.total
    if (total === undefined) return undefined
    if (total.currency === limit.currency && spent + total.amount <= limit.amount) return undefined
    return {
      message: `The site allows ${formatMoney(limit)} per visit, and this order of ${formatMoney(total)} would exceed it. Nothing was ordered; the visitor can order on the page.`,
      details: { source_code: 'spend_limit', limit, spent },
    }
  },
}
