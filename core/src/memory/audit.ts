import type { AuditEntry, AuditRecord, AuditStore } from '../ports/audit.ts'
import type { Clock } from '../ports/clock.ts'

/** Nothing to wait for: it is written when it returns. */
export type MemoryAudit = AuditStore & { readonly append: (entry: AuditEntry) => void }

/**
 * The newest records, in memory. Few on purpose: a hundred thousand live objects cost the collector more a call than the call itself.
 * Whoever must be able to say what happened keeps the audit in a database.
 */
export function memoryAudit(maxRecords: number, clock: Clock): MemoryAudit {
  const ring: AuditEntry[] = []
  // when each was written, by the store's clock: an entry is not copied for it
  const times: number[] = []
  let next = 0

  function oldestFirst(): readonly AuditEntry[] {
    const dated = ring.map(
      (entry, index): AuditEntry => ({ ...entry, created_at: times[index] ?? 0 }),
    )
    return [...dated.slice(next), ...dated.slice(0, next)]
  }

  return {
    append(entry) {
      ring[next] = entry
      times[next] = clock.now()
      next = (next + 1) % maxRecords
    },
    list({ tenant, callId, toolName, limit = 1_000 }) {
      return oldestFirst()
        .filter(
          (record) =>
            record.tenant === tenant &&
            (callId === undefined || record.call_id === callId) &&
            (toolName === undefined || record.tool_name === toolName),
        )
        .slice(-limit)
        .map(
          ({ input, output, ...kept }): AuditRecord => ({
            ...kept,
            input_hash: input.hash,
            output_hash: output.hash,
          }),
        )
    },
  }
}
