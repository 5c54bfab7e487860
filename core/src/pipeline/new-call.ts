import type { Call } from '../call/call.ts'
import { uuidOf } from '../call/hash.ts'
import { scoped } from '../call/scope.ts'
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
    inputHash: call.inputHash,
    input: JSON.stringify(call.input),
    // of the call's meaning, never of an attempt: a retry must look the same to the provider
    providerKey: call.resumes?.providerKey ?? uuidOf(scoped(caller.tenant, caller.principal, tool.id, key, call.inputHash)),
    caller,
    surface: call.surface,
    requestId: call.requestId,
  }
}
