import type { CallRow, CallStore, Claim, ClaimRequest, Fence } from '@surehand/core/ports'
import { toRecord } from '../audit/record-row.ts'
import type { Database } from '../database.ts'
import { boundTo, type Sealing } from '../sealing.ts'
import { claimKey, claimRow, claimUnused } from './claim.ts'
import { abandon, finish, finishStep, renew, resolveUnknown, startEffect } from './fenced.ts'
import {
  abandonedCalls,
  evidenceOf,
  findCall,
  getCall,
  isToStop,
  openCalls,
  recentCall,
} from './looks.ts'
import { addEvidence, cancelCall, postpone, queueCall } from './waiting.ts'

const UNREADABLE_MS = 60_000

/** The ledger: the call store in SQL. */
export function sqlCalls(
  database: Database,
  sealing: Sealing,
  onTrouble: (error: unknown) => void,
): CallStore {
  const seal = (request: ClaimRequest): ClaimRequest => ({
    ...request,
    call: sealing.call(request.call),
  })
  const open = <T extends object>(answer: T): T =>
    'row' in answer ? { ...answer, row: sealing.row(answer.row as CallRow | undefined) } : answer

  // A row that this node cannot decrypt must not stop the sweep of all others.
  async function readable(row: CallRow): Promise<readonly CallRow[]> {
    try {
      return [sealing.row(row)]
    } catch (thrown) {
      onTrouble(thrown)
      await database.step(postpone, {
        tenant: row.tenant,
        callId: row.callId,
        delayMs: UNREADABLE_MS,
      })
      return []
    }
  }

  return {
    find: async (scope) => sealing.row(await database.step(findCall, scope)),
    get: async (tenant, callId) => sealing.row(await database.step(getCall, { tenant, callId })),
    recent: async (call, sinceMs) =>
      sealing.row(await database.step(recentCall, { call, sinceMs })),
    queue: async (call, guardMs) =>
      open(await database.step(queueCall, { call: sealing.call(call), guardMs })),
    claim: async (request) =>
      open(
        await (request.resumes
          ? database.step(claimRow, request)
          : claimFresh(database, seal(request))),
      ),
    startEffect: (fence, effect, intent) =>
      database.step(startEffect, { fence, effect, intent: toRecord(intent) }),
    renew: (fence, leaseMs) => database.step(renew, { fence, leaseMs }),
    isToStop: (tenant, callId) => database.step(isToStop, { tenant, callId }),
    finish: (fence, ending, audit) =>
      database.step(fence.parentId === undefined ? finish : finishStep, {
        fence,
        ending: sealing.ending(ending, fence),
        audit: toRecord(audit),
      }),
    abandon: (fence) => database.step(abandon, { fence }),
    transact: async (run) =>
      open(await database.transact(run.claim.resumes ? run : { ...run, claim: seal(run.claim) })),
    postpone: (tenant, callId, delayMs) => database.step(postpone, { tenant, callId, delayMs }),
    cancel: (tenant, callId) => database.step(cancelCall, { tenant, callId }),
    addEvidence: (fence, evidence) =>
      database.step(addEvidence, { fence, evidence: sealEvidence(sealing, fence, evidence) }),
    async evidence(tenant, callId) {
      const found = await database.step(evidenceOf, { tenant, callId })
      return found.map((evidence) => ({
        ...evidence,
        text: sealing.open(evidence.text, boundTo({ tenant, callId })),
      }))
    },
    resolve: (tenant, callId, ending, audit) =>
      database.step(resolveUnknown, {
        tenant,
        callId,
        ending: sealing.ending(ending, { tenant, callId }),
        audit: toRecord(audit),
      }),
    open: ({ tenant, principal, limit }) =>
      database.step(openCalls, { tenant, principal: principal ?? null, limit }),
    abandoned: async (limit) =>
      (await Promise.all((await database.step(abandonedCalls, { limit })).map(readable))).flat(),
    query: (text, ...values) => database.query(text, values),
  }
}

// On PostgreSQL each statement is a round trip, so an unused key is claimed with a single one.
async function claimFresh(database: Database, request: ClaimRequest): Promise<Claim> {
  if (database.dialect === 'postgres' && request.guardMs === undefined) {
    const row = await database.step(claimUnused, request)
    if (row !== undefined) return { kind: 'claimed', row }
  }
  return database.step(claimKey, request)
}

// A late result may contain the call's secret input.
function sealEvidence<E extends { readonly text: string }>(
  sealing: Sealing,
  fence: Fence,
  evidence: E,
): E {
  return sealing.hasKey
    ? { ...evidence, text: sealing.seal(evidence.text, boundTo(fence)) }
    : evidence
}
