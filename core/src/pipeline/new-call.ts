import type { Call } from '../call/call.ts'
import type { NewCall } from '../ports/calls.ts'
import { definitionHash } from '../registry/describe.ts'

/** The call as the ledger keeps it. */
export function newCall(call: Call): NewCall {
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
    irreversible: tool.contract.isWrite && !tool.contract.reversible,
    caller,
    surface: call.surface,
    requestId: call.requestId,
  }
}
