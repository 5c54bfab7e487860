import type { Call } from '../call/call.ts'
import type { Answer, Source } from '../call/outcome.ts'
import type { ToolError } from '../call/tool-error.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { definitionHash } from '../registry/describe.ts'
import type { Parts } from './parts.ts'

/** Before bytes leave: what is about to be done. */
export function intentEntry(call: Call, parts: Parts): AuditEntry {
  return entry(call, parts, { phase: 'intent', success: false, outcome: 'started', code: '', error: '', source: '', outputHash: '' })
}

/** It happened. */
export function successEntry(call: Call, parts: Parts, source: Source, outputHash: string): AuditEntry {
  return entry(call, parts, { phase: 'outcome', success: true, outcome: 'done', code: '', error: '', source, outputHash })
}

/** It was refused, or broke. */
export function failureEntry(call: Call, parts: Parts, error: ToolError, source: Source): AuditEntry {
  return entry(call, parts, {
    phase: 'outcome',
    success: false,
    outcome: 'failed',
    code: error.code,
    error: error.message,
    source,
    outputHash: '',
  })
}

/** However it ended. */
export function answerEntry(call: Call, parts: Parts, answer: Answer): AuditEntry {
  switch (answer.status) {
    case 'done':
      return successEntry(call, parts, answer.source, answer.outputHash)
    case 'failed':
      return failureEntry(call, parts, answer.error, answer.source)
    case 'pending':
      return entry(call, parts, {
        phase: 'outcome',
        success: false,
        outcome: 'pending',
        code: 'TOOL_APPROVAL_REQUIRED',
        error: '',
        source: '',
        outputHash: '',
      })
    case 'accepted':
      return entry(call, parts, { phase: 'outcome', success: true, outcome: 'accepted', code: '', error: '', source: '', outputHash: '' })
  }
}

type Ending = Pick<AuditEntry, 'phase' | 'success' | 'outcome' | 'code' | 'error' | 'source'> & { readonly outputHash: string }

function entry(call: Call, parts: Parts, ending: Ending): AuditEntry {
  const now = parts.clock.now()
  return {
    id: parts.chance.newId('aud', now),
    phase: ending.phase,
    call_id: call.id,
    request_id: call.requestId,
    tenant: call.caller.tenant,
    principal: call.caller.principal,
    actor: call.caller.actor,
    surface: call.surface,
    tool_name: call.tool.id,
    tool_version: call.tool.version,
    definition_hash: definitionHash(call.tool),
    input_hash: call.inputHash,
    output_hash: ending.outputHash,
    success: ending.success,
    outcome: ending.outcome,
    code: ending.code,
    error: ending.error,
    duration_ms: parts.clock.ticks() - call.startedTicks,
    source: ending.source,
    created_at: now,
  }
}
