import type { AuditRecord, ClaimRequest, LocalDone } from '@surehand/core'
import { hashJson, ToolError } from '@surehand/core/ground'
import { insertRecord } from './audit/record-row.ts'
import { claimInside } from './calls/claim.ts'
import { END_JUST_CLAIMED, endWith } from './calls/fenced.ts'
import { wake } from './calls/wake.ts'
import { sealing } from './sealing.ts'
import type { Sql } from './step.ts'

/** A local effect as plain data: SQLite's writer thread finds the function by its name. */
export type LocalRequest = {
  readonly claim: ClaimRequest
  readonly name: string
  readonly args: unknown
  readonly audit: AuditRecord
  /** What its answer is kept with, if it is secret. */
  readonly secretKeys: readonly Uint8Array[]
}

/** Claim, effect, record and answer inside the dialect's transaction; what is thrown rolls all of it back. `apply` runs the named function. */
export async function localEffect(sql: Sql, request: LocalRequest, apply: () => Promise<unknown>): Promise<LocalDone> {
  const claim = await claimInside(sql, request.claim)
  if (claim.kind !== 'claimed' && claim.kind !== 'recover') return claim
  const { tenant, callId, fence, parentId, isSecret } = claim.row
  const result = await apply()
  const { json, hash } = told(request.name, result)
  const plain = { kind: 'output', json, warnings: [] } as const
  const answer = isSecret ? sealing(request.secretKeys).answer(plain, claim.row) : plain
  await sql.runBoth(
    endWith({ state: 'succeeded', answer, isSecret }, END_JUST_CLAIMED, [callId, fence]),
    insertRecord({ ...request.audit, output_hash: hash }),
  )
  if (parentId !== undefined) await wake(sql, { tenant, callId: parentId })
  return { kind: 'done', fence: { tenant, callId, fence, parentId }, result }
}

// before the commit: a result that can't be kept must not have happened
function told(name: string, answered: unknown): { readonly json: string; readonly hash: string } {
  const result = answered ?? null
  try {
    return { hash: hashJson(result), json: JSON.stringify(result) }
  } catch (cause) {
    const reason = cause instanceof Error ? ` ${cause.message}` : ''
    throw new ToolError('TOOL_INVALID_OUTPUT', `${name} answered what is not JSON and was rolled back.${reason}`, { effect: 'none', cause })
  }
}
