import { CartId, Money, ProductId, Quantity, VariantId } from '@surehand/documents'
import { z } from 'zod'
import type { Cart, CartLine, Totals } from './commerce-port.ts'

export const CartLineId = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.:~=-]{0,127}$/, {
    error: 'Use the id of a cart line exactly as the cart gave it.',
  })
  .meta({
    title: 'cart line id',
    description: 'Identifies one line of the cart, as addToCart or the cart gave it.',
    examples: ['line_1'],
  })

const TotalsShape = z.object({
  subtotal: Money,
  discount: Money,
  shipping: Money,
  tax: Money,
  total: Money,
})

const CartLineShape = z.object({
  cartLineId: CartLineId,
  productId: ProductId,
  variantId: VariantId,
  name: z.string(),
  quantity: Quantity,
  unitPrice: Money,
  total: Money,
  notes: z.string().optional(),
})

/** The cart as tools return it. */
export const CartShape = z.object({
  cartId: CartId,
  revision: z.int().describe('Grows with every change of the cart.'),
  state: z.enum(['open', 'ordered']),
  lines: z.array(CartLineShape),
  coupons: z.array(z.string()),
  totals: TotalsShape,
  url: z.string().optional().describe('The page on which the visitor sees this cart.'),
})

export const OrderLines = z.array(CartLineShape)
export { TotalsShape }

/** Leaves out what is undefined: answers are JSON. */
export function viewCart({ cartId, revision, state, lines, coupons, totals, url }: Cart) {
  return {
    cartId,
    revision,
    state,
    lines: lines.map(viewLine),
    coupons: [...coupons],
    totals: viewTotals(totals),
    ...(url === undefined ? {} : { url }),
  }
}

export function viewLine({ notes, ...line }: CartLine) {
  return {
    cartLineId: line.cartLineId,
    productId: line.productId,
    variantId: line.variantId,
    name: line.name,
    quantity: line.quantity,
    unitPrice: { ...line.unitPrice },
    total: { ...line.total },
    ...(notes === undefined ? {} : { notes }),
  }
}

export function viewTotals({ subtotal, discount, shipping, tax, total }: Totals) {
  return {
    subtotal: { ...subtotal },
    discount: { ...discount },
    shipping: { ...shipping },
    tax: { ...tax },
    total: { ...total },
  }
}
