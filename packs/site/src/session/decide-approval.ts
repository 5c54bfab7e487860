import { type Envelope, ToolError, toEnvelope } from '@surehand/core'
import { isOpen, type PackServices, readShownFacts } from '@surehand/core/host'
import { z } from 'zod'
import { recordConversion } from './record-conversion.ts'
import { readSpokenAnswer } from './spoken-answer.ts'
import type { Visitor } from './visitor.ts'

export const VisitorDecision = z.object({
  verdict: z.enum(['approve', 'deny']),
  digest: z.string().max(128),
  /** The whole utterance of a spoken answer. */
  said: z.string().max(300).optional(),
})
export type VisitorDecision = z.output<typeof VisitorDecision>

type Services = Pick<
  PackServices,
  'approvals' | 'answer' | 'call' | 'systemCaller' | 'values' | 'now'
>

/**
 * Decides an approval request with the visitor's own credential, and waits a while for the answer
 * of its call. What is approved counts towards the spend limit first.
 */
export async function decideApproval(
  services: Services,
  visitor: Visitor,
  id: string,
  { verdict, digest, said }: VisitorDecision,
): Promise<Envelope | undefined> {
  if (said !== undefined && readSpokenAnswer(said) !== verdict)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'This answer is not a clear yes or no. Nothing has been decided; ask again, or let the visitor click.',
      { details: { field: 'said' } },
    )
  const approval = await services.approvals.get(visitor.person, id)
  if (verdict === 'approve') await reserveAmount(services, visitor, approval)
  // The same decision again, because its answer was lost, is not an error: its outcome is told.
  const isRepeated = approval.decision?.verdict === verdict
  if (!isRepeated)
    await services.approvals.decide(visitor.person, id, {
      verdict,
      digest,
      ...(said === undefined ? {} : { reason: `spoken: ${said}` }),
    })
  const answer = await awaitEnd(services, visitor, approval.callId)
  if (answer !== undefined) await recordConversion(services, visitor, answer)
  return answer
}

const Amount = z.object({ amount: z.int().positive(), currency: z.string().length(3) })
const Subject = z.object({
  tool: z.string(),
  input: z.object({ cartId: z.string().optional(), slotId: z.string().optional() }),
})

async function reserveAmount(
  { call, systemCaller }: Services,
  { tenant, session }: Visitor,
  approval: { readonly id: string; readonly shown: string },
): Promise<void> {
  const amount = Amount.safeParse(readShownFacts(approval).facts)
  const { tool, input } = Subject.parse(JSON.parse(approval.shown))
  const subject = input.cartId ?? input.slotId
  if (!amount.success || subject === undefined || tool === 'booking.cancelBooking') return
  const outcome = await call({
    tool: 'site.reserve_spend',
    input: { sessionId: session, subject, ...amount.data },
    caller: systemCaller(tenant),
    surface: 'site',
    idempotencyKey: `spend ${approval.id}`,
  })
  if (outcome.status === 'failed') throw outcome.error
}

const LONGEST_WAIT_MS = 20_000
const POLL_MS = 50

async function awaitEnd(
  { answer, now }: Services,
  { person }: Visitor,
  callId: string,
): Promise<Envelope | undefined> {
  const until = now() + LONGEST_WAIT_MS
  for (;;) {
    const outcome = await answer(person, callId)
    if (outcome !== undefined && !isOpen(outcome, 'news')) return toEnvelope(outcome)
    if (now() >= until) return outcome === undefined ? undefined : toEnvelope(outcome)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
