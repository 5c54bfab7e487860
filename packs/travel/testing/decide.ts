import type { Caller, Envelope } from '@surehand/core'
import { ANN, type TravelWorld } from './travel-world.ts'

/** Decides about the approval request of a pending call, and returns what became of the call. */
export async function decide(
  world: Pick<TravelWorld, 'runtime'>,
  pending: Envelope,
  verdict: 'approve' | 'deny',
  by: Caller = ANN,
): Promise<void> {
  const id = pending.metadata.pending?.approval_id
  if (id === undefined) throw new Error(`Nothing is pending: ${JSON.stringify(pending)}`)
  const { digest } = await world.runtime.approvals.get(by.tenant, id)
  await world.runtime.approvals.decide(by, id, { verdict, digest })
}

/** Answers the question of a run with its proposal, changed by `edit`. */
export async function answerQuestion(
  world: TravelWorld,
  asking: Envelope,
  edit: (draft: Record<string, never>) => unknown = (draft) => draft,
  by: Caller = ANN,
): Promise<void> {
  const { question_id: id, draft } = asking.metadata.asking ?? {}
  if (id === undefined) throw new Error(`Nothing is asked: ${JSON.stringify(asking)}`)
  const { digest } = await world.runtime.questions.getFor(by, id)
  await world.runtime.questions.answer(by, id, {
    answer: edit((draft ?? {}) as Record<string, never>),
    digest,
  })
}
