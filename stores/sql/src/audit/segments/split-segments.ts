import type { Sql } from '../../step.ts'
import { insertPlaced } from '../insert-placed.ts'
import { leafSealer, segmentSealer } from '../record-seal.ts'
import { segmentsByPrincipal } from './find-segments.ts'
import { recordsIn, type Segment } from './segment.ts'

/**
 * Makes rows of all records that are stored together with a person's, at the same places, so that
 * the person's can be erased. Where the seal of a segment is not ours, its records get none: it was
 * tampered with, and the verification has to find that.
 */
export async function splitSegments(
  sql: Sql,
  {
    tenant,
    principal,
    sealKey,
  }: {
    readonly tenant: string
    readonly principal: string
    readonly sealKey?: Uint8Array | undefined
  },
): Promise<void> {
  for (const segment of await segmentsByPrincipal(sql, tenant, principal)) {
    const seal = sealerFor(segment, sealKey)
    const rows = recordsIn(segment).map((record) => ({
      // erased: a record with its place is a row
      row: record as never,
      place: record,
      seal: seal(record.leaf),
    }))
    // One that cannot be read is left for the verification.
    if (rows.length !== segment.count) continue
    await insertPlaced(sql, rows)
    await sql.run(
      'delete from audit_segments where tenant = ? and first_number = ?',
      tenant,
      segment.first_number,
    )
  }
}

function sealerFor(
  { leaves, count, seal }: Segment,
  sealKey: Uint8Array | undefined,
): (leaf: string) => string | null {
  const isOurs = sealKey !== undefined && seal === segmentSealer(sealKey)(leaves, count)
  return isOurs ? leafSealer(sealKey) : () => null
}
