import type { AuditEntry } from '@surehand/core/ports'
import { packEntries, type Waiting } from './packed-records.ts'

/** Records that were packed together. */
export type Chunk = {
  readonly text: string
  readonly count: number
  readonly packedAtMs: number
}

export type RecordPacker = {
  readonly push: (entry: AuditEntry) => void
  /** How many entries were pushed and not taken. */
  readonly count: () => number
  /** Packs until so many are packed; other requests are served in between. */
  readonly packAtLeast: (count: number) => Promise<void>
  /** Takes packed records, the oldest first, until there are so many. */
  readonly take: (count: number) => readonly Chunk[]
}

// Callers wait while records are hashed. And an entry is many objects: when up to 400 waited as they
// are, a young collection took 12 ms instead of 1.
const PACKED_AT_ONCE = 32

/** Makes texts of audit entries, with their hashes computed, while no caller waits. */
export function recordPacker(): RecordPacker {
  const fresh: Waiting[] = []
  const packed: Chunk[] = []
  let packedCount = 0
  let isScheduled = false

  function packSome(): void {
    const part = fresh.splice(0, PACKED_AT_ONCE)
    if (part.length === 0) return
    const nowMs = performance.now()
    packed.push({ text: packEntries(part, nowMs), count: part.length, packedAtMs: nowMs })
    packedCount += part.length
  }

  /** When the callers of this turn of the event loop have their answers. */
  function packSoon(): void {
    if (isScheduled || fresh.length < PACKED_AT_ONCE) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      packSome()
      packSoon()
    })
  }

  return {
    push(entry) {
      fresh.push({ entry, sinceMs: performance.now() })
      packSoon()
    },
    count: () => fresh.length + packedCount,
    async packAtLeast(count) {
      while (packedCount < count && fresh.length > 0) {
        packSome()
        if (packedCount < count) await new Promise(setImmediate)
      }
    },
    take(count) {
      let taken = 0
      let chunks = 0
      for (; taken < count && chunks < packed.length; chunks++) taken += packed[chunks]?.count ?? 0
      packedCount -= taken
      return packed.splice(0, chunks)
    },
  }
}

export function countRecords(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { count }) => sum + count, 0)
}
