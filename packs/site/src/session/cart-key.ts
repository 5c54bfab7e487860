import type { PackGiven } from '@surehand/core/host'
import { z } from 'zod'

const WithCart = z.object({ cart: z.object({ revision: z.int() }) })
const KEPT_MS = 8 * 3_600_000

type Session = { readonly tenant: string; readonly session: string }
type Values = PackGiven['values']

/** Remembers the revision of the cart in a tool's answer: the session has seen it now. */
export async function noteCartRevision(
  values: Values,
  { tenant, session }: Session,
  data: unknown,
): Promise<void> {
  const seen = WithCart.safeParse(data)
  if (seen.success)
    await values.set(tenant, seenKey(session), String(seen.data.cart.revision), KEPT_MS)
}

const LineChange = z.object({ cartLineId: z.string(), quantity: z.int().optional() })

/**
 * The idempotency key of a change to a cart line: the line, the change and the revision of the
 * cart that the session last saw. A repetition has the same key; the same change after another one
 * has another.
 */
export async function cartChangeKey(
  values: Values,
  { tenant, session }: Session,
  call: { readonly tool: string; readonly input: unknown },
): Promise<string | undefined> {
  if (call.tool !== 'commerce.updateQuantity' && call.tool !== 'commerce.removeFromCart')
    return undefined
  const change = LineChange.safeParse(call.input)
  if (!change.success) return undefined
  const { cartLineId, quantity } = change.data
  const revision = (await values.get(tenant, seenKey(session))) ?? '0'
  const op = quantity === undefined ? 'remove' : `set ${quantity}`
  return `${cartLineId} ${op} at ${revision}`
}

function seenKey(session: string): string {
  return `site/cart-seen/${session}`
}
