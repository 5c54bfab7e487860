import type { AuditEntry, AuditFilter, AuditRecord, AuditStore } from '../ports/audit.ts'
import { figuresOf } from '../ports/call-figures.ts'
import type { Clock } from '../ports/clock.ts'

/** Synchronous: the entry is written when `append` returns. */
export type MemoryAudit = AuditStore & {
  readonly append: (entry: AuditEntry) => void
  /** The same within a step that has read the clock already. */
  readonly appendAt: (entry: AuditEntry, now: number) => void
}

/**
 * The newest audit records, in memory. Few on purpose: a hundred thousand live objects cost the
 * garbage collector more per call than the call itself. Applications that need the whole audit log
 * keep it in a database.
 */
export function memoryAudit(maxRecords: number, clock: Clock): MemoryAudit {
  const ring: AuditEntry[] = []
  // When each entry was written, by the store's clock; in an array of its own, so that no entry is
  // copied.
  const times: number[] = []
  let next = 0

  function oldestFirst(): readonly AuditEntry[] {
    const dated = ring.map(
      (entry, index): AuditEntry => ({ ...entry, created_at: times[index] ?? 0 }),
    )
    return [...dated.slice(next), ...dated.slice(0, next)]
  }

  function appendAt(entry: AuditEntry, now: number): void {
    ring[next] = entry
    times[next] = now
    next = (next + 1) % maxRecords
  }

  return {
    append: (entry) => appendAt(entry, clock.now()),
    appendAt,
    list({ before, limit = 1_000, ...filter }) {
      const records = oldestFirst()
      const end = before === undefined ? -1 : records.findIndex(({ id }) => id === before.id)
      return records
        .slice(0, before === undefined ? undefined : Math.max(0, end))
        .filter((record) => isWanted(record, filter))
        .slice(-limit)
        .map(
          ({ input, output, ...kept }): AuditRecord => ({
            ...kept,
            input_hash: input.hash,
            output_hash: output.hash,
          }),
        )
    },
    figures({ tenant, tool, since }) {
      const records = oldestFirst().filter((record) => record.tenant === tenant)
      const slots = figuresOf(records).filter((slot) => slot.tool === tool && slot.at >= since)
      return { slots, complete: ring.length < maxRecords }
    },
  }
}

function isWanted(record: AuditEntry, filter: Omit<AuditFilter, 'before' | 'limit'>): boolean {
  const { tenant, callId, toolName, principal, actor, phase, outcome, requestIds } = filter
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter
  return (
    record.tenant === tenant &&
    (callId === undefined || record.call_id === callId) &&
    (toolName === undefined || record.tool_name === toolName) &&
    (principal === undefined || record.principal === principal) &&
    (actor === undefined || record.actor === actor) &&
    (phase === undefined || record.phase === phase) &&
    (outcome === undefined || record.outcome === outcome) &&
    // In memory no traces are stored.
    filter.key === undefined &&
    filter.text === undefined &&
    record.created_at >= since &&
    record.created_at < until &&
    (requestIds === undefined || requestIds.includes(record.request_id))
  )
}
