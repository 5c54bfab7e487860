import type { LocalDone, LocalRun } from '@surehand/core/ports'
import { hashJson, ToolError } from '@surehand/core/worker-entry'
import { insertRecordValues, type RecordValues } from './audit/record-row.ts'
import type { RecordSealer } from './audit/record-seal.ts'
import { givenValues } from './calls/call-row.ts'
import { claimInside, type GivenClaim } from './calls/claim.ts'
import { END_JUST_CLAIMED, endWith } from './calls/fenced.ts'
import { wake } from './calls/wake.ts'
import { sealing } from './sealing.ts'
import type { Sql } from './step.ts'

/**
 * A local effect as plain data: SQLite's writer thread finds the function by its name. The values
 * are flat arrays, because objects with many fields take several times as long to clone into
 * another thread.
 */
export type LocalRequest = {
  readonly claim: GivenClaim
  readonly name: string
  readonly args: unknown
  /** The audit record; the output's hash is added when the output is known. */
  readonly record: RecordValues
  /** The keys that encrypt the stored answer of a secret call. */
  readonly secretKeys: readonly Uint8Array[]
}

/** What a local effect needs to encrypt its answer and to seal its record. */
export type LocalKeys = {
  readonly secretKeys: readonly Uint8Array[]
  readonly sealer: RecordSealer
}

export function localRequest(
  { claim, name, args, audit }: LocalRun,
  { secretKeys, sealer }: LocalKeys,
): LocalRequest {
  return {
    claim: toGivenClaim(claim),
    name,
    args,
    record: sealer.openValues(audit),
    secretKeys,
  }
}

// Member by member, because a rest with a spread takes several times as long, and every write comes
// through here. The compiler refuses a member that is forgotten.
function toGivenClaim(claim: LocalRun['claim']): GivenClaim {
  return {
    leaseMs: claim.leaseMs,
    at: claim.at,
    expired: claim.expired,
    resumes: claim.resumes,
    guardMs: claim.guardMs,
    adminVersion: claim.adminVersion,
    atMost: claim.atMost,
    approvalId: claim.approvalId,
    given: givenValues(claim.call),
  } satisfies Record<keyof GivenClaim, unknown>
}

type Done = Extract<LocalDone, { kind: 'done' }>
/** The stored result of an effect that was done, or the reason why it was not. */
export type LocalKept = Exclude<LocalDone, Done> | (Done & { readonly json: string })

/**
 * Claim, effect, record and answer inside the dialect's transaction; an error rolls all of it back.
 * `apply` runs the transaction function.
 */
export async function localEffect(
  sql: Sql,
  request: LocalRequest,
  apply: () => Promise<unknown>,
): Promise<LocalKept> {
  const claim = await claimInside(sql, request.claim)
  if (claim.kind !== 'claimed' && claim.kind !== 'recover') return claim
  const { tenant, callId, fence, parentId, isSecret } = claim.row
  const result = await apply()
  const { json, hash } = serializeResult(request.name, result)
  const plain = { kind: 'output', json, warnings: [] } as const
  const answer = isSecret ? sealing(request.secretKeys).answer(plain, claim.row) : plain
  await sql.runBoth(
    endWith({ state: 'succeeded', answer, isSecret }, END_JUST_CLAIMED, [callId, fence]),
    insertRecordValues(request.record, hash),
  )
  if (parentId !== undefined) await wake(sql, { tenant, callId: parentId })
  return { kind: 'done', fence: { tenant, callId, fence, parentId }, result, json }
}

/**
 * Serializes a result before the commit: an effect whose result cannot be stored must not happen.
 */
export function serializeResult(
  name: string,
  answered: unknown,
): { readonly json: string; readonly hash: string } {
  const result = answered ?? null
  try {
    return { hash: hashJson(result), json: JSON.stringify(result) }
  } catch (cause) {
    const reason = cause instanceof Error ? ` ${cause.message}` : ''
    throw new ToolError(
      'TOOL_INVALID_OUTPUT',
      `${name} answered what is not JSON and was rolled back.${reason}`,
      { effect: 'none', cause },
    )
  }
}
