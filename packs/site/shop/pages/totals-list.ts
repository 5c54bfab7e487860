import type { Totals } from '../selling/totals.ts'
import { type Html, html } from '../web/html.ts'
import { formatMoney } from './parts.ts'

export function totalsList({ totals }: { readonly totals: Totals }): Html {
  const { subtotal, discount, shipping, tax, total } = totals
  return html`<dl class="totals">
  <div><dt>Subtotal</dt><dd>${formatMoney(subtotal)}</dd></div>
  ${discount.amount > 0 && html`<div class="less"><dt>Coupon</dt><dd>−${formatMoney(discount)}</dd></div>`}
  <div><dt>Collection or delivery</dt><dd>${shipping.amount === 0 ? 'Free' : formatMoney(shipping)}</dd></div>
  <div class="sum"><dt>Total</dt><dd>${formatMoney(total)}</dd></div>
  <div class="small"><dt>Contains VAT</dt><dd>${formatMoney(tax)}</dd></div>
</dl>`
}
