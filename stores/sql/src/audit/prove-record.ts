import { ToolError } from '@surehand/core'
import type { Database } from '../database.ts'
import { leafText } from './leaf.ts'
import { inclusionSpans } from './merkle.ts'
import type { ShownRecord } from './record-check.ts'
import type { SignedHead } from './signed-head.ts'
import { readHead, readSequenced, rootsOver } from './tree-reads.ts'

/**
 * Proves that one record is covered by a signed head, without disclosing any other. Plain data, for
 * a verifier with the public key.
 */
export type RecordProof = {
  readonly record: ShownRecord
  readonly position: number
  /** The hashes that lead from the record's leaf, from the bottom up, to the head's root. */
  readonly path: readonly string[]
  readonly head: SignedHead
}

/** Proves a record under the first head that was signed over it. */
export async function proveRecord(
  database: Pick<Database, 'step'>,
  tenant: string,
  recordId: string,
): Promise<RecordProof> {
  const found = await database.step(readSequenced, { tenant, id: recordId })
  const head = found && (await database.step(readHead, { tenant, size: found.position + 1 }))
  if (found === undefined || head === undefined)
    throw new ToolError(
      'TOOL_RESOURCE_NOT_FOUND',
      `There is no record ${recordId} under a signed head; a new one is soon.`,
    )
  const { principal, error, input_hash, output_hash, salt, erased_at, erasure, position, leaf } =
    found
  const payload = { principal, error, input_hash, output_hash, salt, erased_at, erasure }
  const path = await rootsOver(database, tenant, inclusionSpans(position, head.size))
  return { record: { text: leafText(found, found), payload, leaf }, position, path, head }
}
