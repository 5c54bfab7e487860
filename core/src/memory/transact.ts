import type { CallStore, Claim, ClaimRequest, LocalRun } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../ports/jobs.ts'
import type { MemoryAudit } from './audit.ts'
import { enqueueParent, finishRow } from './call-row.ts'
import type { Applied } from './database.ts'
import type { Ledger } from './ledger.ts'

type TransactContext = {
  readonly ledger: Ledger
  readonly audit: MemoryAudit
  readonly jobs: JobStore
  readonly clock: Clock
  readonly claim: (request: ClaimRequest) => Claim
}

/**
 * Claim, effect, audit and answer, or none of them. Runs inside the database's queue, so no other
 * call can take over the row meanwhile.
 */
export async function transact(
  run: LocalRun,
  apply: (run: LocalRun, clock: Clock) => Promise<Applied>,
  context: TransactContext,
): ReturnType<CallStore['transact']> {
  const { ledger, audit, clock, claim } = context
  const { call, resumes } = run.claim
  const earlier = resumes ? ledger.byCall(call.tenant, call.callId) : ledger.byKey(call)
  const claimed = claim(run.claim)
  if (claimed.kind !== 'claimed' && claimed.kind !== 'recover') return claimed
  const applied = await apply(run, clock).catch((thrown: unknown) => {
    ledger.drop(claimed.row, earlier)
    throw thrown
  })
  // Committed: from here on nothing may fail.
  audit.append({ ...run.audit, output: { hash: applied.hash, bytes: 0 } })
  const answer = { kind: 'output', json: applied.json, warnings: [] } as const
  const { tenant, callId, fence, parentId, isSecret } = claimed.row
  ledger.put(finishRow(claimed.row, { state: 'succeeded', answer, isSecret }, clock))
  enqueueParent(claimed.row, context)
  return { kind: 'done', fence: { tenant, callId, fence, parentId }, result: applied.result }
}
