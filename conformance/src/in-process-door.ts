import { type Runtime, toEnvelope } from '@surehand/core'
import { modelInputSchema } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Ability, Door, Said } from './door.ts'

export const EVERYTHING: ReadonlySet<Ability> = new Set([
  'json',
  'value',
  'key',
  'keyField',
  'model',
  'hostCall',
  'signal',
  'within',
  'wait',
  'repeat',
])

/** The door without a wall: straight into the runtime of this process. */
export function inProcessDoor(runtime: Runtime): Door {
  return {
    name: 'process',
    can: EVERYTHING,
    call: async (request) =>
      toEnvelope(await runtime.call({ input: undefined, ...request, surface: 'process' })),
    async answer(caller, callId) {
      const outcome = await runtime.answer(caller, callId)
      return outcome === undefined ? undefined : toEnvelope(outcome)
    },
    cancel: (caller, callId) => runtime.cancel(caller, callId),
    question: (tenant, approvalId) => said(runtime.approvals.get(tenant, approvalId)),
    decide: (decider, approvalId, form) =>
      said(runtime.approvals.decide(decider, approvalId, form)),
    edit: (editor, approvalId, input) => said(runtime.approvals.edit(editor, approvalId, input)),
    settleUnknown: (decider, callId, evidence) =>
      said(runtime.resolveUnknown(decider, callId, evidence)),
    modelSchema(toolId) {
      const tool = runtime.tools().find((candidate) => candidate.id === toolId)
      if (tool === undefined) throw new TypeError(`There is no tool ${toolId}.`)
      return modelInputSchema(tool)
    },
  }
}

async function said<T>(answer: Promise<T>): Promise<Said<T>> {
  try {
    return { ok: true, value: await answer }
  } catch (thrown) {
    const { code, message, details } = toToolError(thrown)
    return { ok: false, code, message, details }
  }
}
