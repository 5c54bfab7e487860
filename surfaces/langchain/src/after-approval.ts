import { awaitAnswer, callForModel, type Outcome, relayVerdict, toToolError } from '@surehand/core'
import type { Asked } from './asked.ts'
import { readDecision } from './decision.ts'
import type { Heard } from './heard.ts'
import { editedCall, type ModelCall } from './model-call.ts'
import type { Next } from './next.ts'
import type { Surface } from './options.ts'
import { toCallRequest } from './request.ts'

const NOT_COUNTED = 'The yes that was given here does not count for this call. The question is still open, and is decided where it says.'
const TOO_LATE = 'The person edited it, but it had been decided already.'

/** What becomes of a call after a person saw its question. Their word is the host's: the desk alone knows what it is worth. */
export async function afterApproval({ said, asked }: Heard, call: ModelCall, surface: Surface): Promise<Next> {
  const decision = readDecision(said, call)
  switch (decision.type) {
    case 'approve': {
      await relayed('approve', asked, surface)
      const outcome = await standing(asked, call, surface)
      return { call, outcome, ...(outcome.status === 'pending' ? { note: NOT_COUNTED } : {}) }
    }
    case 'reject': {
      if (!(await relayed('deny', asked, surface))) await withdrawn(asked, surface)
      const note = decision.message === undefined ? {} : { note: `The person says: ${decision.message}` }
      return { call, outcome: await standing(asked, call, surface), ...note }
    }
    case 'edit': {
      // first the old wish goes: left open, a later yes would do both
      if (!(await withdrawn(asked, surface))) return { call, outcome: await standing(asked, call, surface), note: TOO_LATE }
      const edited = editedCall(call, decision.args)
      return { call: edited, outcome: await callForModel(surface.runtime, toCallRequest(edited, surface), surface) }
    }
    case 'unclear':
      return { call, outcome: await standing(asked, call, surface), problem: decision.problem }
  }
}

async function standing(asked: Asked, call: ModelCall, surface: Surface): Promise<Outcome> {
  const { runtime, caller } = surface
  const approval = await runtime.approvals.getFor(caller, asked.id).catch(unlessForged)
  // the row of a denied call only says that it ended; whoever calls again hears of the no, and why
  if (approval && approval.state === 'denied') return callForModel(runtime, toCallRequest(call, surface), surface)
  return kept(asked, call, surface)
}

/** How the call stands by now; where it is not kept any more, it is called anew. */
export async function kept(asked: Asked, call: ModelCall, surface: Surface): Promise<Outcome> {
  const { runtime, caller, clock, waitMs } = surface
  const request = toCallRequest(call, surface)
  const { signal, onProgress } = request
  const outcome = await awaitAnswer(runtime, caller, asked.call_id, { clock, waitMs, signal, until: 'news', onProgress })
  return outcome ?? callForModel(runtime, request, surface)
}

async function relayed(verdict: 'approve' | 'deny', asked: Asked, { runtime, caller, host }: Surface): Promise<boolean> {
  return host !== undefined && relayVerdict(runtime.approvals, verdict, asked, { caller, host }).catch(unlessForged)
}

// a question nobody asked, or not as it was shown: what is said to it does nothing
function unlessForged(thrown: unknown): false {
  const { code } = toToolError(thrown)
  if (code !== 'TOOL_RESOURCE_NOT_FOUND' && code !== 'TOOL_INVALID_FIELD_VALUE') throw thrown
  return false
}

/** Takes a wish back that nobody has decided yet; whoever called may do so. */
async function withdrawn(asked: Asked, { runtime, caller }: Surface): Promise<boolean> {
  const before = await runtime.answer(caller, asked.call_id)
  if (before?.status === 'pending' && before.approval.id === asked.id) return runtime.cancel(caller, asked.call_id)
  // told twice, it is taken back once
  return before?.status === 'failed' && before.error.code === 'TOOL_CANCELLED'
}
