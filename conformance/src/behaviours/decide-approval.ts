import type { Caller, Envelope } from '@surehand/core'
import type { Credential } from '@surehand/core/host'
import type { Approval } from '@surehand/core/ports'
import { assert } from 'vitest'
import type { ApiResult } from '../surface.ts'
import { ann } from '../world/people.ts'
import type { Process } from '../world/world.ts'

/** The id of the approval request that an envelope waits for. */
export function approvalOf(envelope: Envelope): string {
  return (
    envelope.metadata.pending?.approval_id ??
    assert.fail(`no approval was requested: ${JSON.stringify(envelope.error ?? envelope.status)}`)
  )
}

export type DecisionOverrides = {
  readonly decider?: Caller
  readonly digest?: string
  readonly reason?: string
  readonly credential?: Credential
}

/** Reads the approval request of an envelope and decides it as Ann, or as the given person. */
export async function decideApproval(
  process: Process,
  asked: Envelope,
  verdict: 'approve' | 'deny',
  saying: DecisionOverrides = {},
): Promise<ApiResult<Approval>> {
  const { decider = ann, ...form } = saying
  const question = await process.surface.question(decider.tenant, approvalOf(asked))
  if (!question.ok) return question
  return process.surface.decide(decider, question.value.id, {
    verdict,
    digest: question.value.digest,
    ...form,
  })
}
