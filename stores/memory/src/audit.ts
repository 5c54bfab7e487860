import { Buffer } from 'node:buffer'
import type { AuditEntry, AuditStore } from '@surehand/core'

const SLAB_BYTES = 256 * 1024

type Slab = { readonly bytes: Buffer; used: number }

/**
 * Records as JSON lines in slabs outside the collector's heap: a hundred thousand live objects would cost every call more than the call itself.
 * The oldest slab goes when there are too many.
 */
export function memoryAudit(maxBytes: number): AuditStore {
  const slabs: Slab[] = []

  function slabFor(size: number): Slab {
    const last = slabs.at(-1)
    if (last !== undefined && last.used + size <= last.bytes.length) return last
    const slab = { bytes: Buffer.allocUnsafe(Math.max(SLAB_BYTES, size)), used: 0 }
    slabs.push(slab)
    if (slabs.length * SLAB_BYTES > maxBytes && slabs.length > 1) slabs.shift()
    return slab
  }

  return {
    append(entry) {
      const line = `${JSON.stringify(entry)}\n`
      const slab = slabFor(line.length * 3)
      slab.used += slab.bytes.write(line, slab.used)
    },
    list({ tenant, callId, toolName, limit = 1_000 }) {
      return slabs
        .flatMap(({ bytes, used }) => bytes.toString('utf8', 0, used).split('\n'))
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as AuditEntry)
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
