// The codes of the API's problems. A code is released: it keeps its meaning and its status.
const REFUSALS = {
  invalid_request: [400, 'The request is not valid'],
  unauthorized: [401, 'A key is needed'],
  payment_declined: [402, 'The payment was declined'],
  form_expired: [403, 'This form is no longer valid'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'This method is not allowed here'],
  already_booked: [409, 'The slot is already booked'],
  already_paid: [409, 'The order is already paid'],
  booking_past: [409, 'The appointment is over'],
  cart_empty: [409, 'The cart is empty'],
  cart_ordered: [409, 'The cart has been ordered'],
  checkout_expired: [409, 'The checkout has expired'],
  coupon_refused: [409, 'The coupon does not apply'],
  fee_changed: [409, 'The fee has changed'],
  out_of_stock: [409, 'Not enough in stock'],
  price_changed: [409, 'The price has changed'],
  slot_past: [409, 'The slot is over'],
  slot_taken: [409, 'The slot is taken'],
  total_changed: [409, 'The total has changed'],
  cart_changed: [412, 'The cart has changed'],
  too_large: [413, 'The request is too large'],
  key_missing: [422, 'An Idempotency-Key is needed'],
  key_reused: [422, 'This Idempotency-Key belongs to another request'],
  return_url_refused: [422, 'The shop does not know this return address'],
  too_many_requests: [429, 'Too many requests'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>

export type RefusalCode = keyof typeof REFUSALS

/** Why the shop does not do what it was asked to do. Nothing has been changed. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly title: string

  constructor(code: RefusalCode, detail: string) {
    super(detail)
    this.code = code
    ;[this.status, this.title] = REFUSALS[code]
  }
}

export function notFound(what: string): Refusal {
  return new Refusal('not_found', `${what} does not exist. Look it up again.`)
}
