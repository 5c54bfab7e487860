import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { definePack } from '../../../../core/src/index.ts'
import { manyTools } from '../../core/registry.ts'
import type { StartServer } from '../contenders.ts'
import { READ_TOOL } from '../protocols.ts'
import { readPack } from './shop-app.ts'
import { startServe } from './surehand-serve.ts'

const ROWS = 1_000_000

/** `surehand serve` with ten thousand tools and a million audit records. */
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
  database.close()
}
