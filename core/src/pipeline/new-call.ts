import type { Call } from '../call/call.ts'
import { holdsSecret } from '../define/redact.ts'
import { accessOf } from '../permissions/access.ts'
import type { NewCall } from '../ports/calls.ts'
import { definitionHash } from '../registry/describe.ts'
import type { PipelineContext } from './parts.ts'

const NO_SCOPES: NewCall['scopes'] = {}

/** The call as the ledger keeps it. */
export function newCall(call: Call, parts: PipelineContext): NewCall {
  const { caller, tool, key } = call
  return {
    tenant: caller.tenant,
    principal: caller.principal,
    toolId: tool.id,
    key,
    callId: call.id,
    keySource: call.keySource,
    toolVersion: tool.version,
    definitionHash: definitionHash(tool),
    inputHash: call.meaning.hash,
    input: call.meaning.text,
    // the first claim's id; the row keeps it, so that a retry under another id looks the same to the provider
    providerKey: call.resumes?.providerKey ?? call.id,
    scopes: scopesOf(call, parts),
    irreversible: tool.contract.isWrite && !tool.contract.reversible,
    isSecret: holdsSecret(tool.input.shape) || holdsSecret(tool.output.shape),
    caller,
    surface: call.surface,
    requestId: call.requestId,
    parentId: call.parentId,
    notify: call.notify,
  }
}

function scopesOf(call: Call, parts: PipelineContext): NewCall['scopes'] {
  const names = call.tool.contract.capabilityNames
  if (names.length === 0 || call.tool.contract.permissionCheck !== 'required') return NO_SCOPES
  return Object.fromEntries(accessOf(call, parts.scheme).scopes())
}
