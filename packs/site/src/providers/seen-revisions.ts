import { createHash } from 'node:crypto'
import type { PackGiven } from '@surehand/core/host'
import type { Cart, Commerce, Shopper } from '../commerce/commerce-port.ts'

type Values = PackGiven['values']
const SEEN_MS = 8 * 3_600_000
/** As long as the shop remembers a key, see commerce-port.ts. */
const KEY_MS = 24 * 3_600_000

/**
 * Makes a change of a cart line idempotent by the line, the change and the revision of the cart that
 * the session last saw, on every surface: a model that asks again before it has seen the answer
 * changes nothing twice, and 2 → 3 → 2 are three effects.
 */
export function withSeenRevisions(commerce: Commerce, values: Values): Commerce {
  async function noteSeen<T extends Cart | null>(shopper: Shopper, cart: T): Promise<T> {
    if (cart !== null)
      await values.set(shopper.tenant, seenPlace(shopper), String(cart.revision), SEEN_MS)
    return cart
  }
  async function keyOf(shopper: Shopper, change: string, own: string): Promise<string> {
    const { tenant, session } = shopper
    // A call that is driven again after a crash keeps the key of its first attempt.
    const settled = await values.get(tenant, `site/cart-key/${own}`)
    if (settled !== undefined) return settled
    const revision = (await values.get(tenant, seenPlace(shopper))) ?? '0'
    const place = `site/cart-change/${session}/${hashText(`${change} at ${revision}`)}`
    await values.replace(tenant, place, { expected: undefined, value: own, ttlMs: KEY_MS })
    const first = (await values.get(tenant, place)) ?? own
    if (first !== own) await values.set(tenant, `site/cart-key/${own}`, first, KEY_MS)
    return first
  }
  return {
    ...commerce,
    cart: async (request, signal) =>
      noteSeen(request.shopper, await commerce.cart(request, signal)),
    async addLine(request, signal) {
      const added = await commerce.addLine(request, signal)
      await noteSeen(request.shopper, added.cart)
      return added
    },
    async updateLine(request, signal) {
      const { shopper, cartLineId, quantity } = request
      const change = `${cartLineId} set ${quantity}`
      const idempotencyKey = await keyOf(shopper, change, request.idempotencyKey)
      return noteSeen(shopper, await commerce.updateLine({ ...request, idempotencyKey }, signal))
    },
    async removeLine(request, signal) {
      const { shopper, cartLineId } = request
      const idempotencyKey = await keyOf(shopper, `${cartLineId} remove`, request.idempotencyKey)
      return noteSeen(shopper, await commerce.removeLine({ ...request, idempotencyKey }, signal))
    },
    applyCoupon: async (request, signal) =>
      noteSeen(request.shopper, await commerce.applyCoupon(request, signal)),
  }
}

function seenPlace({ session }: Shopper): string {
  return `site/cart-seen/${session}`
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
