import type { Envelope } from '@surehand/core'
import type { PackServices } from '@surehand/core/host'
import { z } from 'zod'
import { formatMoney } from '../format-money.ts'
import { formatWhen, type Reader } from '../format-when.ts'
import { callAsVisitor } from '../session/call-as-visitor.ts'
import type { SessionEvent } from '../session/session-channel.ts'
import type { Visitor } from '../session/visitor.ts'
import { PHRASES } from './phrases.ts'
import { readTalk, writeTalk } from './run-turn.ts'
import { placeOrder } from './shopping-steps.ts'
import { openTalk, pathOf, type Talk } from './talk.ts'

const Total = z.object({ amount: z.int(), currency: z.string() })
const Order = z.object({
  orderId: z.string(),
  cartId: z.string(),
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
  const { timeZone } = visitor.person
  const turn = `after ${answer.metadata.call_id}`
  const { signal } = new AbortController()
  const talk = await openTalk({ services, visitor, turn, language, state, signal, publish })
  if (answer.command === 'commerce.startCheckout' && answer.status === 'success') {
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
  const order = answer.status === 'success' ? Order.safeParse(answer.data).data : undefined
  if (order !== undefined) {
    const { cartId, orderId, payUrl } = order
    const unpaid = payUrl === undefined ? undefined : { cartId, orderId }
    await writeTalk(services, visitor, {
      ...state,
      cartId: undefined,
      cartLineId: undefined,
      unpaid,
    })
    if (payUrl !== undefined) await openPayment(talk, payUrl)
  }
  await publish({
    kind: 'answer',
    callId: answer.metadata.call_id,
    tool: answer.command,
    status: answer.status === 'success' ? 'done' : pending === undefined ? 'failed' : 'pending',
    text: describeAnswer(answer, PHRASES[language], { locale: language, timeZone }),
  })
}

// Cards are entered by the visitor, on the page of the shop or of its payment provider.
async function openPayment({ call, site }: Talk, payUrl: string): Promise<void> {
  const isOwn = site.contract.origins.includes(new URL(payUrl).origin)
  if (isOwn) await call('navigation.goto', { path: pathOf(payUrl) })
  else await call('navigation.open', { url: payUrl, target: '_self' })
}

const Status = z.object({ state: z.string() })

/**
 * Looks whether an order that was waiting for its payment is paid by now, and tells the visitor. Called
 * when a page reports itself: the visitor may have come back from the payment.
 */
export async function reconcilePayment({
  services,
  visitor,
  publish,
}: Omit<Decided, 'answer'>): Promise<void> {
  const state = await readTalk(services, visitor)
  if (state.unpaid === undefined) return
  const { cartId, orderId } = state.unpaid
  const tool = 'commerce.orderStatus'
  const answer = await callAsVisitor(services, visitor, { tool, input: { cartId } })
  const found = Status.safeParse(answer.data).data?.state
  if (found !== 'paid' && found !== 'cancelled') return
  await writeTalk(services, visitor, { ...state, unpaid: undefined })
  const phrases = PHRASES[state.language]
  const text = found === 'paid' ? phrases.paid(orderId) : phrases.notPaid(orderId)
  const callId = answer.metadata.call_id
  await publish({ kind: 'answer', callId, tool, status: 'done', text })
}

function describeAnswer(answer: Envelope, phrases: (typeof PHRASES)['en'], reader: Reader): string {
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
    return phrases.booked(
      booking.data.title,
      formatWhen(booking.data.start, reader),
      booking.data.confirmation,
    )
  const cancelled = Cancelled.safeParse(answer.data)
  return cancelled.success ? phrases.cancelled(formatMoney(cancelled.data.fee)) : ''
}
