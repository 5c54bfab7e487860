import type { Call } from '../call/call.ts'
import { ToolError } from '../call/tool-error.ts'
import type { AuditEntry } from '../ports/audit.ts'
import type { CallRow, Ending, Fence } from '../ports/calls.ts'
import { sleep } from '../ports/clock.ts'
import type { PipelineContext } from './parts.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

export function fenceOf({ tenant, callId, fence, parentId }: CallRow): Fence {
  return { tenant, callId, fence, parentId }
}

/**
 * Keeps how a call ended; false: the row is another's. A store that is away for a moment is waited for within the call's time:
 * what the provider said is known here and nowhere else.
 */
export async function finishCall(
  call: Call,
  row: CallRow,
  ending: Ending,
  audit: AuditEntry,
  parts: PipelineContext,
): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    try {
      const ours = await parts.stores.calls.finish(fenceOf(row), ending, audit)
      // an earlier try may have been written though its answer was lost
      return ours || (tries > 0 && (await isWritten(row, ending, parts)))
    } catch (cause) {
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries)
      if (parts.clock.ticks() + pauseMs >= call.deadlineTicks) throw unkept(call, row, cause)
      await sleep(parts.clock, pauseMs)
    }
  }
}

async function isWritten(row: CallRow, ending: Ending, parts: PipelineContext): Promise<boolean> {
  const now = await parts.stores.calls.get(row.tenant, row.callId)
  return now?.fence === row.fence && now.state === ending.state
}

function unkept(call: Call, row: CallRow, cause: unknown): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    `How ${call.tool.id} ended could not be kept: the database is away.`,
    {
      details: { call_id: row.callId, settled: false },
      suggestions: [
        'Call again with the same idempotency key: it is driven on, nothing is done twice.',
      ],
      cause,
    },
  )
}
