import type { Outcome } from '@surehand/core'
import { callForModel, relayVerdict } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Asked } from './asked.ts'
import { readDecision } from './decision.ts'
import { editedInput } from './edit.ts'
import type { Heard } from './heard.ts'
import { editedCall, type ModelCall } from './model-call.ts'
import type { Next } from './next.ts'
import { asksAsShown, ownCallId } from './open-question.ts'
import type { Surface } from './options.ts'
import { toCallRequest } from './request.ts'
import { shownArgs } from './shown-args.ts'
import { askedApproval, news, type Standing, standing } from './standing.ts'

const NOT_COUNTED =
  'The approval that was given here does not count for this call. The question is still open, and is decided where it says.'
const TOO_LATE = 'The person edited it, but it had been decided already.'
const A_STEP =
  'Nothing was decided. What a step asks is approved or rejected: its input is made by the run it belongs to.'

/**
 * What becomes of a call after a person saw its question. Their word is the host's: the desk alone knows what it is worth, and it is
 * told only of the question that this very call asks.
 */
export async function afterApproval(
  { said, asked }: Heard,
  call: ModelCall,
  surface: Surface,
): Promise<Next> {
  const stood = await standing(asked, call, surface)
  const { outcome } = stood
  const shown =
    outcome.status === 'pending' && asksAsShown(outcome, asked) ? outcome.approval : undefined
  const decision = readDecision(said, { id: asked.id, toolId: shown?.toolId ?? call.tool.id })
  switch (decision.type) {
    case 'approve': {
      if (shown !== undefined) await relayDecision('approve', asked, surface)
      const now = await news(stood, call, surface)
      return {
        call,
        outcome: now,
        ...(now.status === 'pending' && asksAsShown(now, asked) ? { note: NOT_COUNTED } : {}),
      }
    }
    case 'reject': {
      if (shown !== undefined && !(await relayDecision('deny', asked, surface)))
        await withdrawRequest(stood, surface)
      const note =
        decision.message === undefined ? {} : { note: `The person says: ${decision.message}` }
      return { call, outcome: await afterNo(stood, { asked, call, surface }), ...note }
    }
    case 'edit':
      return afterEdit(decision.args, stood, { asked, call, surface })
    case 'unclear':
      return { call, outcome: await news(stood, call, surface), problem: decision.problem }
  }
}

type Situation = { readonly asked: Asked; readonly call: ModelCall; readonly surface: Surface }

async function afterNo(stood: Standing, { asked, call, surface }: Situation): Promise<Outcome> {
  const now = await news(stood, call, surface)
  return now.status === 'failed' ? (await standing(asked, call, surface)).outcome : now
}

async function afterEdit(
  args: Readonly<Record<string, unknown>>,
  stood: Standing,
  { asked, call, surface }: Situation,
): Promise<Next> {
  const { outcome } = stood
  const isOpen = outcome.status === 'pending' && asksAsShown(outcome, asked)
  if (isOpen && ownCallId(outcome, call) === undefined) return { call, outcome, problem: A_STEP }
  const approval = isOpen || isTakenBack(stood) ? await askedApproval(asked, surface) : undefined
  if (approval === undefined)
    return { call, outcome: await news(stood, call, surface), note: TOO_LATE }
  // what somebody changed on its page is not what the model said
  const edit = {
    shown: approval.editedBy === undefined ? shownArgs(approval, call.tool) : {},
    args,
  }
  const checked = editedInput(call.tool, call.input, edit)
  if ('problem' in checked)
    return { call, outcome, problem: `Nothing was decided. ${checked.problem}` }
  // first the old wish goes: left open, a later yes would do both. Told twice, it is taken back once
  if (isOpen && !(await withdrawRequest(stood, surface)))
    return { call, outcome: await news(stood, call, surface), note: TOO_LATE }
  const edited = editedCall(call, edit)
  return {
    call: edited,
    outcome: await callForModel(surface.runtime, toCallRequest(edited, surface), surface),
  }
}

// by its row: that somebody has left takes nothing back
function isTakenBack({ outcome, callId }: Standing): boolean {
  return (
    callId !== undefined && outcome.status === 'failed' && outcome.error.code === 'TOOL_CANCELLED'
  )
}

async function relayDecision(
  verdict: 'approve' | 'deny',
  asked: Asked,
  { runtime, caller, host }: Surface,
): Promise<boolean> {
  return (
    host !== undefined &&
    relayVerdict(runtime.approvals, verdict, asked, { caller, host }).catch(unlessChanged)
  )
}

// decided or edited since we looked: what is said to it does nothing
function unlessChanged(thrown: unknown): false {
  const { code } = toToolError(thrown)
  if (code !== 'TOOL_RESOURCE_NOT_FOUND' && code !== 'TOOL_INVALID_FIELD_VALUE') throw thrown
  return false
}

/** Takes a wish back that nobody has decided yet; whoever called may do so. A run is told to stop, and takes back what it has done. */
async function withdrawRequest(
  { callId }: Standing,
  { runtime, caller }: Surface,
): Promise<boolean> {
  return callId !== undefined && runtime.cancel(caller, callId)
}
