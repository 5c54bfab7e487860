import { sha256 } from '../../../core/src/internal.ts'
import type { AuditRecord } from '../../../core/src/ports.ts'
import { appendRecords } from '../../../stores/sql/src/audit/append-records.ts'
import { createAuditKey, publicKeyOf } from '../../../stores/sql/src/audit/audit-key.ts'
import { exportAudit } from '../../../stores/sql/src/audit/export-audit.ts'
import { auditSequencer } from '../../../stores/sql/src/audit/sequencer.ts'
import type { SignedHead } from '../../../stores/sql/src/audit/signed-head.ts'
import { verifyAudit } from '../../../stores/sql/src/audit/verify-audit.ts'
import type { SqlStores } from '../../../stores/sql/src/sql-stores.ts'

/** Records a second. */
export type AuditFigures = {
  readonly sequenced: number
  readonly exported: number
  readonly verified: number
}

const TENANT = 'acme'
const APPENDED_AT_ONCE = 1_000

/** Writes records, gives them their places with signed and anchored heads, exports them and verifies the export. */
export async function timeAudit(stores: SqlStores, records: number): Promise<AuditFigures> {
  const { database } = stores
  for (let first = 0; first < records; first += APPENDED_AT_ONCE)
    await database.step(appendRecords, {
      records: Array.from({ length: APPENDED_AT_ONCE }, (_, index) => record(first + index)),
    })
  const key = createAuditKey()
  const anchors: SignedHead[] = []
  const sequencer = auditSequencer(database, {
    key,
    anchors: [
      async (head) => {
        anchors.push(head)
      },
    ],
    onTrouble: (error) => {
      throw error
    },
  })
  const [sequenced, places] = await timed(records, () => sequencer.pass())
  if (places !== records) throw new Error(`${places} of ${records} records got a place`)
  const [exported, written] = await timed(records, () => linesOf(exportAudit(database, TENANT)))
  // as they come out of a file: what was put together piece by piece is put together by whoever first looks at it
  const lines = written.join('\n').split('\n')
  const trust = { publicKeys: [publicKeyOf(key)], anchors }
  await refuseChanged(lines, trust)
  const [verified, verdict] = await timed(records, () => verifyAudit(lines, trust))
  if (verdict.kind !== 'intact' || verdict.size !== records || verdict.anchoredSize !== records)
    throw new Error(`the export is ${JSON.stringify(verdict)}`)
  await stores.close()
  return { sequenced, exported, verified }
}

async function linesOf(exported: AsyncIterable<string>): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of exported) lines.push(line)
  return lines
}

async function timed<T>(records: number, work: () => Promise<T>): Promise<readonly [number, T]> {
  const startedAt = performance.now()
  const result = await work()
  return [(records * 1000) / (performance.now() - startedAt), result]
}

/** A verifier that is fast because it looks at nothing would be no verifier. */
async function refuseChanged(
  lines: readonly string[],
  trust: Parameters<typeof verifyAudit>[1],
): Promise<void> {
  const middle = Math.floor(lines.length / 2)
  const changed = lines.with(
    middle,
    (lines[middle] ?? '').replace('"outcome":"done"', '"outcome":"gone"'),
  )
  const { kind } = await verifyAudit(changed, trust)
  if (kind !== 'broken') throw new Error('a changed record was not seen')
}

function record(number: number): AuditRecord {
  const call = `call_${String(number).padStart(26, '0')}`
  return {
    id: `aud_${String(number).padStart(26, '0')}`,
    phase: 'outcome',
    call_id: call,
    request_id: call,
    tenant: TENANT,
    principal: 'amelie',
    actor: 'user',
    surface: 'process',
    tool_name: 'shop.addLine',
    tool_version: '1.0.0',
    definition_hash: sha256('definition'),
    input_hash: sha256(`input ${number}`),
    output_hash: sha256(`output ${number}`),
    success: true,
    outcome: 'done',
    code: '',
    error: '',
    duration_ms: 1.25 + (number % 1000) / 7,
    source: 'executed',
    created_at: 1_768_464_000_000.5 + number,
  }
}
