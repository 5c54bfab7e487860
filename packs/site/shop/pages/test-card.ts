import { dayOf } from '@surehand/dates'
import { Refusal } from '../refusal.ts'
import { TIME_ZONE } from '../shop.ts'
import type { FormFields } from '../web/read-form.ts'

const PAYS = '4242424242424242'
const DECLINED = '4000000000000002'

/** Checks a test card and returns its last four digits; the rest is stored nowhere. */
export function readTestCard(form: FormFields, now: number): string {
  const number = form.text('cardNumber').replaceAll(' ', '')
  const [month = '', year = ''] = form.text('cardExpiry').replaceAll(' ', '').split('/')
  if (number !== PAYS && number !== DECLINED)
    throw new Refusal(
      'payment_declined',
      'Only the two test cards are accepted. Never enter a real card.',
    )
  if (
    !/^\d\d$/.test(month) ||
    !/^\d\d$/.test(year) ||
    `20${year}-${month}` < dayOf(now, TIME_ZONE).slice(0, 7)
  )
    throw new Refusal(
      'payment_declined',
      'The expiry date is not in the future. Write it as MM/YY.',
    )
  if (number === DECLINED)
    throw new Refusal(
      'payment_declined',
      'The test card was declined. Nothing was paid. Use the other test card.',
    )
  return number.slice(-4)
}
