import { Refusal } from '../refusal.ts'

type Coupon = {
  readonly title: string
  /** The discount on a subtotal, in minor units. */
  readonly discount: (subtotal: number) => number
  readonly minimum: number
  readonly endsAt?: number
}

const COUPONS: ReadonlyMap<string, Coupon> = new Map<string, Coupon>([
  [
    'FIRSTBLOOM',
    { title: '10 % off', discount: (subtotal) => Math.round(subtotal * 0.1), minimum: 0 },
  ],
  ['THIMBLE5', { title: '5 euros off from 30', discount: () => 500, minimum: 3000 }],
  [
    'WINTER25',
    {
      title: '25 % off',
      discount: (subtotal) => Math.round(subtotal * 0.25),
      minimum: 0,
      endsAt: Date.UTC(2026, 1, 28),
    },
  ],
])

/** What a coupon takes off a subtotal; 0 while the subtotal is below its minimum. */
export function discountOf(code: string | undefined, subtotal: number): number {
  const coupon = code === undefined ? undefined : COUPONS.get(code)
  if (coupon === undefined || subtotal < coupon.minimum) return 0
  return Math.min(subtotal, coupon.discount(subtotal))
}

/** The code as the shop writes it. */
export function acceptCoupon(code: string, subtotal: number, now: number): string {
  const name = code.trim().toUpperCase()
  const coupon = COUPONS.get(name)
  if (coupon === undefined)
    throw new Refusal('coupon_refused', `The coupon ${name} does not exist. Check its spelling.`)
  if (coupon.endsAt !== undefined && now > coupon.endsAt)
    throw new Refusal('coupon_refused', `The coupon ${name} has expired. Try another one.`)
  if (subtotal < coupon.minimum)
    throw new Refusal(
      'coupon_refused',
      `The coupon ${name} applies from ${coupon.minimum / 100} euros. Add something to the cart.`,
    )
  return name
}
