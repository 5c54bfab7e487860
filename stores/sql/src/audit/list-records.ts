import type { AuditFilter, AuditRecord } from '@surehand/core/ports'
import { defineStep, type Sql } from '../step.ts'
import { RECORD_COLUMNS, recordOf } from './record-row.ts'

const MOST = 1_000

/** The newest matching records, oldest first. */
export const listRecords = defineStep(
  'audit.list',
  { mode: 'read', statements: 'one' },
  async (
    sql: Sql,
    { tenant, callId, toolName, limit = MOST }: AuditFilter,
  ): Promise<readonly AuditRecord[]> => {
    const text = `select ${RECORD_COLUMNS} from audit_records where tenant = ?${callId === undefined ? '' : ' and call_id = ?'}${toolName === undefined ? '' : ' and tool_name = ?'} order by number desc limit ?`
    const filters = [callId, toolName].filter((value) => value !== undefined)
    const rows = await sql.all(text, tenant, ...filters, limit)
    return rows.map(recordOf).reverse()
  },
)
