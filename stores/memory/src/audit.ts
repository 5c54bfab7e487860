import type { AuditEntry, AuditStore } from '@surehand/core'

/** Records in memory, the oldest dropped in blocks once there are too many. */
export function memoryAudit(maxRecords: number): AuditStore {
  let records: AuditEntry[] = []
  return {
    append(entry) {
      records.push(entry)
      if (records.length >= maxRecords * 2) records = records.slice(-maxRecords)
    },
    list({ tenant, callId, toolName, limit = 1_000 }) {
      return records
        .filter(
          (record) =>
            record.tenant === tenant &&
            (callId === undefined || record.call_id === callId) &&
            (toolName === undefined || record.tool_name === toolName),
        )
        .slice(-limit)
    },
  }
}
