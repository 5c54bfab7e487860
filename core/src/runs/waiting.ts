import type { Answer } from '../call/outcome.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import type { CallRow } from '../ports/calls.ts'

const DEEPEST = 16

/** What a parked run tells whoever asks: the question or the approval it waits for, or that it is on its way. */
export async function parkedAnswer(
  row: CallRow,
  parts: Pick<PipelineContext, 'stores'>,
  depth = 0,
): Promise<Answer> {
  const { stores } = parts
  for (const entry of await stores.runs.journal(row.tenant, row.callId)) {
    if (entry.answer !== undefined) continue
    if (entry.what === 'ask') {
      const question = await stores.runs.question(row.tenant, entry.child)
      if (question?.state === 'open') return { status: 'asking', question }
      continue
    }
    const child =
      entry.what === 'step' ? await stores.calls.get(row.tenant, entry.child) : undefined
    const told =
      child === undefined || depth >= DEEPEST ? undefined : await childAnswer(child, parts, depth)
    if (told !== undefined) return told
  }
  return { status: 'accepted', jobId: row.callId }
}

async function childAnswer(
  child: CallRow,
  parts: Pick<PipelineContext, 'stores'>,
  depth: number,
): Promise<Answer | undefined> {
  if (child.state === 'parked') {
    const answer = await parkedAnswer(child, parts, depth + 1)
    return answer.status === 'accepted' ? undefined : answer
  }
  if (child.state !== 'waiting' || child.approvalId === undefined) return undefined
  const approval = await parts.stores.approvals.get(child.tenant, child.approvalId)
  return approval?.state === 'pending' ? { status: 'pending', approval } : undefined
}
