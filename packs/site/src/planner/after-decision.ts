import type { Envelope } from '@surehand/core'
import type { PackServices } from '@surehand/core/host'
import { z } from 'zod'
import { formatMoney } from '../format-money.ts'
import type { SessionEvent } from '../session/session-channel.ts'
import type { Visitor } from '../session/visitor.ts'
import { PHRASES } from './phrases.ts'
import { readTalk, writeTalk } from './run-turn.ts'
import { placeOrder } from './shopping-steps.ts'
import { openTalk } from './talk.ts'

const Total = z.object({ amount: z.int(), currency: z.string() })
const Order = z.object({
  orderId: z.string(),
  state: z.string(),
  totals: z.object({ total: Total }),
  payUrl: z.string().optional(),
})
const Booking = z.object({
  bookingId: z.string(),
  title: z.string(),
  start: z.string(),
  confirmation: z.string(),
})
const Cancelled = z.object({ fee: Total })

type Decided = {
  readonly services: PackServices
  readonly visitor: Visitor
  readonly answer: Envelope
  readonly publish: (event: SessionEvent) => Promise<void>
}

/** Tells the visitor what became of what they approved, and goes on where more is to do. */
export async function continueAfterDecision(decided: Decided): Promise<void> {
  const { services, visitor, answer, publish } = decided
  const state = await readTalk(services, visitor)
  const { language } = state
  const turn = `after ${answer.metadata.call_id}`
  if (answer.command === 'commerce.startCheckout' && answer.status === 'success') {
    const { signal } = new AbortController()
    const talk = await openTalk({ services, visitor, turn, language, state, signal, publish })
    const { text } = await placeOrder(talk, answer)
    await publish({ kind: 'turn', turn, type: 'agent_final', text })
    return
  }
  const { pending } = answer.metadata
  if (pending !== undefined)
    await publish({ kind: 'approval', approvalId: pending.approval_id, turn })
  const booked = Booking.safeParse(answer.data)
  if (booked.success)
    await writeTalk(services, visitor, { ...state, bookingId: booked.data.bookingId })
  if (answer.command === 'commerce.placeOrder' && answer.status === 'success')
    await writeTalk(services, visitor, { ...state, cartId: undefined, cartLineId: undefined })
  await publish({
    kind: 'answer',
    callId: answer.metadata.call_id,
    tool: answer.command,
    status: answer.status === 'success' ? 'done' : pending === undefined ? 'failed' : 'pending',
    text: describeAnswer(answer, PHRASES[language]),
  })
}

function describeAnswer(answer: Envelope, phrases: (typeof PHRASES)['en']): string {
  const { pending } = answer.metadata
  if (pending !== undefined) return phrases.readBack(pending.asks)
  if (answer.status !== 'success') return phrases.failed(answer.error?.message ?? '…')
  const order = Order.safeParse(answer.data)
  if (order.success) {
    const { orderId, totals, payUrl } = order.data
    return payUrl === undefined
      ? phrases.ordered(orderId, formatMoney(totals.total))
      : phrases.pay(orderId)
  }
  const booking = Booking.safeParse(answer.data)
  if (booking.success)
    return phrases.booked(booking.data.title, booking.data.start, booking.data.confirmation)
  const cancelled = Cancelled.safeParse(answer.data)
  return cancelled.success ? phrases.cancelled(formatMoney(cancelled.data.fee)) : ''
}
