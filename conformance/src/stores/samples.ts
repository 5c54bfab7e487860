import { randomUUID } from 'node:crypto'
import { isToolError } from '@surehand/core'
import { NOTHING_HASHED, sha256 } from '@surehand/core/internal'
import type { AuditEntry, CallRow, Ending, Fence, NewApproval, NewCall } from '@surehand/core/ports'
import { ann } from '../world/people.ts'
import type { OpenedStores } from './opened.ts'

export const LEASE_MS = 30_000
export const EFFECT = { port: 'orders', method: 'make', argsHash: sha256('args') }
export const DONE: Ending = {
  state: 'succeeded',
  answer: { kind: 'output', json: '{"z":1,"a":"é"}', warnings: ['odd'] },
  isSecret: false,
}
export const RELEASED: Ending = { state: 'released' }
export const UNKNOWN: Ending = { state: 'unknown' }

/** A keyed call of Ann's; each has an id and a key of its own unless it says otherwise. */
export function aCall(more: Partial<NewCall> = {}): NewCall {
  const callId = `call_${randomUUID()}`
  return {
    tenant: ann.tenant,
    principal: ann.principal,
    toolId: 'orders.place',
    key: callId,
    callId,
    keySource: 'caller',
    toolVersion: '1.0.0',
    definitionHash: sha256('definition'),
    inputHash: sha256('input'),
    input: '{"item":"lamp"}',
    providerKey: randomUUID(),
    scopes: {},
    irreversible: false,
    isSecret: false,
    caller: ann,
    surface: 'process',
    requestId: callId,
    ...more,
  }
}

/** A record of a call. */
export function anEntry(
  call: Pick<NewCall, 'tenant' | 'callId'>,
  more: Partial<AuditEntry> = {},
): AuditEntry {
  return {
    id: `aud_${randomUUID()}`,
    phase: 'outcome',
    call_id: call.callId,
    request_id: call.callId,
    tenant: call.tenant,
    principal: ann.principal,
    actor: 'user',
    surface: 'process',
    tool_name: 'orders.place',
    tool_version: '1.0.0',
    definition_hash: sha256('definition'),
    input: { hash: sha256('input'), bytes: 5 },
    output: NOTHING_HASHED,
    success: true,
    outcome: 'done',
    code: '',
    error: '',
    duration_ms: 1.5,
    source: 'executed',
    created_at: 1_768_464_000_000,
    ...more,
  }
}

/** A question about a call. */
export function aQuestion(call: NewCall, more: Partial<NewApproval> = {}): NewApproval {
  const shown = '{"tool":"orders.place"}'
  return {
    id: `appr_${randomUUID()}`,
    tenant: call.tenant,
    principal: call.principal,
    toolId: call.toolId,
    toolVersion: call.toolVersion,
    definitionHash: call.definitionHash,
    inputHash: call.inputHash,
    callId: call.callId,
    kind: 'confirm',
    reversible: true,
    asks: 'Make a lamp?',
    shown,
    digest: sha256(shown),
    expiresMs: 60_000,
    ...more,
  }
}

export function fenceOf(row: Pick<CallRow, 'tenant' | 'callId' | 'fence'>): Fence {
  return { tenant: row.tenant, callId: row.callId, fence: row.fence }
}

/** Claims a call that no one holds. */
export async function claimCall(
  { stores }: OpenedStores,
  call: NewCall,
  leaseMs = LEASE_MS,
): Promise<CallRow> {
  const claim = await stores.calls.claim({ call, leaseMs, resumes: false, guardMs: undefined })
  if (claim.kind !== 'claimed') throw new Error(`expected a claim, got ${claim.kind}`)
  return claim.row
}

/** Claims a call and lets its effect begin. */
export async function startEffect(opened: OpenedStores, call: NewCall): Promise<CallRow> {
  const row = await claimCall(opened, call)
  await opened.stores.calls.startEffect(fenceOf(row), EFFECT, anEntry(call, { phase: 'intent' }))
  return row
}

export const approvedByPerson = {
  verdict: 'approve',
  by: 'root',
  credential: 'own',
  host: undefined,
  reason: undefined,
} as const
export const deniedByPerson = { ...approvedByPerson, verdict: 'deny', reason: 'No.' } as const

/**
 * Asks again while the store says that the call is under way: on a busy machine the first of many
 * takes so long that its row is not visible to the others in time.
 */
export async function whenVisible<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    if (isToolError(thrown) && thrown.code === 'TOOL_ALREADY_RUNNING') return whenVisible(ask)
    throw thrown
  }
}
