import { sha256 } from '../../../core/src/internal.ts'
import type { AuditRecord } from '../../../core/src/ports.ts'
import { appendRecords } from '../../../stores/sql/src/audit/append-records.ts'
import { createAuditKey, publicKeyOf } from '../../../stores/sql/src/audit/audit-key.ts'
import { exportAudit } from '../../../stores/sql/src/audit/export-audit.ts'
import { recordBatch } from '../../../stores/sql/src/audit/fixtures/record-batch.ts'
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

/** Appends records, sequences them with signed and anchored heads, exports them and verifies the export. */
export async function timeAudit(stores: SqlStores, records: number): Promise<AuditFigures> {
  const { database } = stores
  for (let first = 0; first < records; first += APPENDED_AT_ONCE)
    await database.step(
      appendRecords,
      recordBatch(Array.from({ length: APPENDED_AT_ONCE }, (_, index) => record(first + index))),
    )
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
  const [sequenced, places] = await timeRecords(records, () => sequencer.pass())
  if (places !== records) throw new Error(`${places} of ${records} records were sequenced`)
  const [exported, written] = await timeRecords(records, () =>
    readLines(exportAudit(database, TENANT)),
  )
  // As read from a file: V8 flattens strings that were built from pieces at the first access, which would be timed as verification.
  const lines = written.join('\n').split('\n')
  const trust = { publicKeys: [publicKeyOf(key)], anchors }
  await detectChange(lines, trust)
  const [verified, verdict] = await timeRecords(records, () => verifyAudit(lines, trust))
  if (verdict.kind !== 'intact' || verdict.size !== records || verdict.anchoredSize !== records)
    throw new Error(`the export is ${JSON.stringify(verdict)}`)
  await stores.close()
  return { sequenced, exported, verified }
}

async function readLines(exported: AsyncIterable<string>): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of exported) lines.push(line)
  return lines
}

async function timeRecords<T>(
  records: number,
  work: () => Promise<T>,
): Promise<readonly [number, T]> {
  const startedAt = performance.now()
  const result = await work()
  return [(records * 1000) / (performance.now() - startedAt), result]
}

/** Makes sure that the verifier that is timed does verify. */
async function detectChange(
  lines: readonly string[],
  trust: Parameters<typeof verifyAudit>[1],
): Promise<void> {
  const middle = Math.floor(lines.length / 2)
  const changed = lines.with(
    middle,
    (lines[middle] ?? '').replace('"outcome":"done"', '"outcome":"gone"'),
  )
  const { kind } = await verifyAudit(changed, trust)
  if (kind !== 'broken') throw new Error('the verifier did not detect a changed record')
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
