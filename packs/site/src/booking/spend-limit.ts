import type { Gate } from '@surehand/core'
import type { SiteContracts } from '../contract/site-contract.ts'
import { formatMoney } from '../format-money.ts'
import { shopperOf } from '../visitor-contract.ts'
import type { BookingCalendar } from './booking-port.ts'

type Ports = { readonly calendar: BookingCalendar; readonly sites: SiteContracts }

const NEVER = new AbortController().signal

/** As for orders: a booking must not exceed what one session may spend. */
export const bookingWithinSpendLimit: Gate<{ readonly slotId: string }, Ports> = {
  name: 'spend_limit',
  async check({ input: { slotId }, caller, ports }) {
    const limit = (await ports.sites.read({ tenant: caller.tenant }, NEVER))?.contract.spendLimit
    if (limit === undefined) return undefined
    const shopper = shopperOf(caller)
    const [{ price }, spent] = await Promise.all([
      ports.calendar.quote({ shopper, slotId }, NEVER),
      ports.sites.spent({ ...shopper, except: slotId }, NEVER),
    ])
    if (price.amount === 0) return undefined
    if (price.currency === limit.currency && spent + price.amount <= limit.amount) return undefined
    return {
      message: `The site allows ${formatMoney(limit)} per visit, and this booking of ${formatMoney(price)} would exceed it. Nothing was booked; the visitor can book on the page.`,
      details: { source_code: 'spend_limit', limit, spent },
    }
  },
}
