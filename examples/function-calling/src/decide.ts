import type { Envelope, Runtime } from '@surehand/core'
import { shopkeeper } from './shop.ts'

/** What a host is asked to show to a person, and whether that person agreed. */
export type Person = (envelope: Envelope) => Promise<void>

/** Somebody of the shop reads each question and agrees, at the desk and with their own credential: the model has no part in it. */
export function createApprovingPerson(runtime: Runtime, say: (line: string) => void): Person {
  return async ({ metadata }) => {
    const id = metadata.pending?.approval_id ?? ''
    const question = await runtime.approvals.getFor(shopkeeper, id)
    say(`Kim is asked: ${metadata.pending?.asks} – and agrees.`)
    await runtime.approvals.decide(shopkeeper, id, { verdict: 'approve', digest: question.digest })
  }
}

/** The envelopes of one turn that wait for a person. */
export function awaitingApproval(envelopes: readonly Envelope[]): readonly Envelope[] {
  return envelopes.filter(({ metadata }) => metadata.pending !== undefined)
}
