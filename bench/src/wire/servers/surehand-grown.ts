import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { definePack } from '../../../../core/src/index.ts'
import { manyTools } from '../../core/registry.ts'
import type { StartServer } from '../contenders.ts'
import { READ_TOOL } from '../protocols.ts'
import { readPack } from './shop-app.ts'
import { startServe } from './surehand-serve.ts'

const ROWS = 500_000
const SEGMENTS = 15_625
const IN_SEGMENT = 32

/** `surehand serve` with ten thousand tools and a million audit records, half of them in segments. */
export const startGrownServe: StartServer = (file) =>
  startServe(file, [readPack, definePack({ name: 'many', tools: manyTools() })], fillAudit)

// Their positions are far behind those that the sequencer assigns, so that it is not in its way.
function fillAudit(folder: string): void {
  const database = new DatabaseSync(join(folder, 'surehand.db'))
  database.exec('pragma busy_timeout = 60000')
  database
    .prepare(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into audit_records (id, phase, call_id, request_id, tenant, principal, actor, surface, tool_name, tool_version,
        definition_hash, input_hash, output_hash, success, outcome, code, error, duration_ms, source, created_at, position)
      select 'aud_' || n, 'outcome', 'call_' || n, 'call_' || n, 'acme', 'amelie', 'agent', 'http', ?, '1.0.0',
        hex(zeroblob(32)), hex(zeroblob(32)), hex(zeroblob(32)), 1, 'done', '', '', 1.5, 'executed', 1760000000000 + n, 1000000000 + n
      from numbers`,
    )
    .run(ROWS, READ_TOOL)
  // As long as the columns of as many records, whose content nothing reads here.
  const records = JSON.stringify({ count: IN_SEGMENT, columns: ['x'.repeat(260 * IN_SEGMENT)] })
  database
    .prepare(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into audit_segments (tenant, first_number, first_position, count, first_call, last_call, reach, principals, dated_at,
        records, salts, leaves, seal)
      select 'acme', last.seq + n * ${IN_SEGMENT}, 2000000000 + n * ${IN_SEGMENT}, ${IN_SEGMENT}, 'call_' || n, 'call_' || n, 'call_' || printf('%010d', n),
        '["amelie"]', 1760000000000 + n, ?, hex(zeroblob(${16 * IN_SEGMENT})), hex(zeroblob(${32 * IN_SEGMENT})), hex(zeroblob(11))
      from numbers, (select seq from sqlite_sequence where name = 'audit_records') last`,
    )
    .run(SEGMENTS, records)
  database
    .prepare("update sqlite_sequence set seq = seq + ? where name = 'audit_records'")
    .run((SEGMENTS + 1) * IN_SEGMENT)
  database.close()
}
