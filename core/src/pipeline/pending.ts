import type { Answer } from '../call/outcome.ts'
import type { CallRow } from '../ports/calls.ts'
import type { PipelineContext } from './parts.ts'

/** The open question of a waiting row; undefined when it has lapsed and may be asked anew. */
export async function pending(row: CallRow, parts: PipelineContext): Promise<Answer | undefined> {
  const approval =
    row.approvalId === undefined
      ? undefined
      : await parts.stores.approvals.get(row.tenant, row.approvalId)
  return approval?.state === 'pending' ? { status: 'pending', approval } : undefined
}
