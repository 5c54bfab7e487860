import type { Envelope, Runtime } from '@surehand/core'
import { shopkeeper } from './shop.ts'

/** Shows a pending approval request to a person and waits for the decision. */
export type Person = (envelope: Envelope) => Promise<void>

/**
 * A shopkeeper who approves every request with their own credential; the model takes no part in it.
 */
export function createApprovingPerson(runtime: Runtime, say: (line: string) => void): Person {
  return async ({ metadata }) => {
    const id = metadata.pending?.approval_id ?? ''
    const approval = await runtime.approvals.getFor(shopkeeper, id)
    say(`Kim is asked: ${metadata.pending?.asks} – and approves.`)
    await runtime.approvals.decide(shopkeeper, id, { verdict: 'approve', digest: approval.digest })
  }
}

/** The envelopes of one turn that are waiting for a person. */
export function awaitingApproval(envelopes: readonly Envelope[]): readonly Envelope[] {
  return envelopes.filter(({ metadata }) => metadata.pending !== undefined)
}
