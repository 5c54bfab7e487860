import { type Runtime, toEnvelope } from '@surehand/core'
import { modelInputSchema } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Ability, ApiResult, Surface } from './surface.ts'

export const ALL_ABILITIES: ReadonlySet<Ability> = new Set([
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

/** The surface without a wall: straight into the runtime of this process. */
export function inProcessSurface(runtime: Runtime): Surface {
  return {
    name: 'process',
    can: ALL_ABILITIES,
    call: async (request) =>
      toEnvelope(await runtime.call({ input: undefined, ...request, surface: 'process' })),
    async answer(caller, callId) {
      const outcome = await runtime.answer(caller, callId)
      return outcome === undefined ? undefined : toEnvelope(outcome)
    },
    cancel: (caller, callId) => runtime.cancel(caller, callId),
    question: (tenant, approvalId) => toApiResult(runtime.approvals.get(tenant, approvalId)),
    decide: (decider, approvalId, form) =>
      toApiResult(runtime.approvals.decide(decider, approvalId, form)),
    edit: (editor, approvalId, input) =>
      toApiResult(runtime.approvals.edit(editor, approvalId, input)),
    settleUnknown: (decider, callId, evidence) =>
      toApiResult(runtime.resolveUnknown(decider, callId, evidence)),
    modelSchema(toolId) {
      const tool = runtime.tools().find((candidate) => candidate.id === toolId)
      if (tool === undefined) throw new TypeError(`There is no tool ${toolId}.`)
      return modelInputSchema(tool)
    },
  }
}

async function toApiResult<T>(answer: Promise<T>): Promise<ApiResult<T>> {
  try {
    return { ok: true, value: await answer }
  } catch (thrown) {
    const { code, message, details } = toToolError(thrown)
    return { ok: false, code, message, details }
  }
}
