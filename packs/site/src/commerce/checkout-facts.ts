import type { Caller } from '@surehand/core'
import type { Money } from '@surehand/documents'
import type { SiteContracts } from '../contract/site-contract.ts'
import { formatMoney } from '../format-money.ts'
import { languageOf } from '../format-when.ts'
import { shopperOf } from '../visitor-contract.ts'
import type { Commerce } from './commerce-port.ts'

/** What the visitor approves: lines, totals and terms as the shop states them. */
export type CheckoutFacts = {
  readonly lines: readonly string[]
  readonly subtotal: string
  readonly discount: string
  readonly shipping: string
  readonly tax: string
  readonly total: string
  readonly terms: readonly string[]
  /** For programs: the total in minor units. */
  readonly amount: number
  readonly currency: string
  readonly language: 'en' | 'de'
}

type Ports = { readonly commerce: Commerce; readonly sites: SiteContracts }

export async function readCheckoutFacts(
  ports: Ports,
  caller: Caller,
  cartId: string,
  signal: AbortSignal,
): Promise<CheckoutFacts> {
  const quote = await ports.commerce.quote({ shopper: shopperOf(caller), cartId }, signal)
  const { lines, totals, terms } = quote
  return {
    lines: lines.map(({ name, quantity, total }) => `${quantity} × ${name}: ${formatMoney(total)}`),
    subtotal: formatMoney(totals.subtotal),
    discount: formatMoney(totals.discount),
    shipping: formatMoney(totals.shipping),
    tax: formatMoney(totals.tax),
    total: formatMoney(totals.total),
    terms: [...terms],
    amount: totals.total.amount,
    currency: totals.total.currency,
    language: languageOf(caller),
  }
}

/** The total that was approved, to be checked by the shop once more. */
export function approvedTotal(facts: unknown): Money | undefined {
  const { amount, currency } = (facts ?? {}) as Partial<CheckoutFacts>
  return amount === undefined || currency === undefined ? undefined : { amount, currency }
}
