import type { NewCall } from '../call/call-row.ts'
import { scoped } from '../call/scope.ts'

/** Ids of calls that can't be undone, by who meant what, oldest first: what the guard against a second run looks through. */
export type InputIndex = {
  readonly get: (call: NewCall) => readonly string[]
  readonly add: (call: NewCall) => void
  readonly remove: (call: NewCall) => void
}

export function createInputIndex(): InputIndex {
  const inputs = new Map<string, string[]>()
  return {
    get: (call) => inputs.get(inputName(call)) ?? [],
    add(call) {
      if (!call.irreversible) return
      const name = inputName(call)
      const same = inputs.get(name)
      if (same === undefined) inputs.set(name, [call.callId])
      else same.push(call.callId)
    },
    remove(call) {
      if (!call.irreversible) return
      const name = inputName(call)
      const left = inputs.get(name)?.filter((callId) => callId !== call.callId) ?? []
      if (left.length === 0) inputs.delete(name)
      else inputs.set(name, left)
    },
  }
}

function inputName(call: NewCall): string {
  return scoped(call.tenant, call.principal, call.toolId, call.inputHash)
}
