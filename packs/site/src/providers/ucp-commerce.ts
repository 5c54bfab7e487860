import { ToolError } from '@surehand/core'
import type { Commerce } from '../commerce/commerce-port.ts'
import { termsOf, toCart, toOrder, totalsOf, type UcpCheckout } from './ucp-checkout.ts'
import { type Item, type UcpParts, ucpClient } from './ucp-client.ts'

/**
 * Checkouts of the Universal Commerce Protocol over REST, version 2026-04-08. A checkout is the
 * cart. Each change replaces it whole, so the request of a key is stored before it is sent: a
 * repetition sends the same bytes under the same `Idempotency-Key`.
 */
export function ucpCommerce(parts: UcpParts): Commerce {
  const client = ucpClient(parts)
  const { read, requireCheckout } = client
  return {
    variants: async ({ productId }) => {
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `UCP's checkout lists no variants. Add ${productId} as it is: in UCP every variant has an id of its own.`,
        { effect: 'none' },
      )
    },
    async cart({ shopper }, signal) {
      const checkout = await read(shopper, signal)
      return checkout === null ? null : toCart(checkout, await client.revision(shopper))
    },
    async quote({ shopper, cartId }, signal) {
      const checkout = await requireCheckout(shopper, signal)
      const { lines } = toCart(checkout, 0)
      return { cartId, lines, totals: totalsOf(checkout), terms: termsOf(checkout) }
    },
    async order({ shopper }, signal) {
      const checkout = await read(shopper, signal)
      return checkout?.status === 'completed' ? toOrder(checkout, 0, parts.now()) : null
    },
    ...changesOf(client),
    async startCheckout({ shopper, cartId }, signal) {
      const checkout = await requireCheckout(shopper, signal)
      const isReady = checkout.status === 'ready_for_complete'
      return {
        checkoutToken: checkout.id,
        cartId,
        state: isReady ? 'ready' : 'payment_required',
        totals: totalsOf(checkout),
        // The visitor enters address and card at the shop; the checkout is then ready.
        payUrl: isReady ? undefined : checkout.continue_url,
        expiresAt: checkout.expires_at,
      }
    },
    async placeOrder({ shopper, expectedTotal, idempotencyKey }, signal) {
      const checkout = await requireCheckout(shopper, signal)
      if (checkout.status === 'completed') return toOrder(checkout, 0, parts.now())
      refuseUnready(checkout, expectedTotal.amount)
      const path = `/checkout-sessions/${encodeURIComponent(checkout.id)}/complete`
      // The instrument that the visitor chose at the shop: we know no other.
      const body = { payment: { instruments: checkout.payment?.instruments ?? [] } }
      const request = { method: 'POST', path, body, idempotencyKey, signal } as const
      return toOrder(await client.send(shopper, request), 0, parts.now())
    },
  }
}

type Changes = Pick<Commerce, 'addLine' | 'updateLine' | 'removeLine' | 'applyCoupon'>

function changesOf({ change }: ReturnType<typeof ucpClient>): Changes {
  return {
    async addLine({ shopper, productId, variantId, quantity, idempotencyKey }, signal) {
      const id = variantId ?? productId
      const { cart } = await change(shopper, { key: idempotencyKey, signal }, (now) => ({
        ...now,
        items: addItem(now.items, id, quantity),
      }))
      return {
        cart,
        cartLineId: cart.lines.find((line) => line.variantId === id)?.cartLineId ?? '',
      }
    },
    async updateLine({ shopper, cartLineId, quantity, idempotencyKey }, signal) {
      const { cart } = await change(shopper, { key: idempotencyKey, signal }, (now) => ({
        ...now,
        items: requireItem(now.items, cartLineId).map((one) =>
          one.id === cartLineId ? { ...one, quantity } : one,
        ),
      }))
      return cart
    },
    async removeLine({ shopper, cartLineId, idempotencyKey }, signal) {
      const { cart } = await change(shopper, { key: idempotencyKey, signal }, (now) => ({
        ...now,
        items: now.items.filter(({ id }) => id !== cartLineId),
      }))
      return cart
    },
    async applyCoupon({ shopper, code, idempotencyKey }, signal) {
      const { cart, checkout } = await change(shopper, { key: idempotencyKey, signal }, (now) => ({
        ...now,
        codes: [...new Set([...now.codes, code])],
      }))
      refuseRejected(checkout)
      return cart
    },
  }
}

function addItem(items: readonly Item[], id: string, quantity: number): readonly Item[] {
  const isThere = items.some(({ item }) => item.id === id)
  if (!isThere) return [...items, { item: { id }, quantity }]
  return items.map((one) =>
    one.item.id === id ? { ...one, quantity: one.quantity + quantity } : one,
  )
}

/** A code that the shop does not take is a warning in UCP, beside an updated checkout. */
function refuseRejected({ messages = [] }: UcpCheckout): void {
  const rejected = messages.find(
    ({ code }) => code?.startsWith('discount_code_') && code !== 'discount_code_already_applied',
  )
  if (rejected === undefined) return
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `The shop does not take this code: ${rejected.content.slice(0, 200)} The prices are as before.`,
    { effect: 'refused', details: { field: 'code', source_code: rejected.code ?? null } },
  )
}

function requireItem(items: readonly Item[], lineId: string): readonly Item[] {
  if (items.some(({ id }) => id === lineId)) return items
  throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `The cart has no line ${lineId}.`, {
    effect: 'none',
  })
}

function refuseUnready(checkout: UcpCheckout, expected: number): void {
  if (totalsOf(checkout).total.amount !== expected)
    throw new ToolError(
      'TOOL_GATE_CLOSED',
      'The total of the checkout has changed since it was approved. Nothing was ordered.',
      { effect: 'refused', details: { source_code: 'total_changed' } },
    )
  if (checkout.status === 'ready_for_complete') return
  const [message] = checkout.messages ?? []
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    `The shop needs the visitor first${message === undefined ? '' : `: ${message.content.slice(0, 200)}`}. Nothing was ordered.`,
    {
      effect: 'refused',
      details: { source_code: checkout.status, continue_url: checkout.continue_url ?? null },
    },
  )
}
