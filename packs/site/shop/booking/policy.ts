import { instantText } from '@surehand/dates'
import { type Money, money, TIME_ZONE } from '../shop.ts'

export type CancellationPolicy = {
  readonly text: string
  readonly freeUntil?: string
  readonly fee: Money
}

export const FREE_HOURS_BEFORE = 24
export const FEE_PERCENT = 50
export const POLICY_TEXT = `Appointments can be cancelled free of charge until ${FREE_HOURS_BEFORE} hours before they begin. After that, ${FEE_PERCENT} % of the price is charged.`

/** The terms of one booking now. */
export function policyAt({
  now,
  startMs,
  price,
}: {
  readonly now: number
  readonly startMs: number
  readonly price: number
}): CancellationPolicy {
  const freeUntilMs = startMs - FREE_HOURS_BEFORE * 60 * 60 * 1000
  return {
    text: POLICY_TEXT,
    freeUntil: instantText(freeUntilMs, TIME_ZONE),
    fee: money(now <= freeUntilMs ? 0 : Math.round((price * FEE_PERCENT) / 100)),
  }
}
