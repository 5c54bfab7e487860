import { setTimeout as pause } from 'node:timers/promises'
import type { NodeProcess, Reply } from '../processes/node-process.ts'
import type { Random } from '../random.ts'
import { toCallRequest, toInput } from './call-until-answered.ts'
import type { PlannedCall } from './planned-call.ts'

/**
 * What people do about calls: cancel one, edit an approval request, resolve an unknown outcome,
 * change the administration.
 */
export type OperatorAction = 'cancel' | 'edit' | 'resolve' | 'pin'

const WITHIN_MS = 20_000

/** The call after an operator has edited it. */
export function withEdit(call: PlannedCall): PlannedCall {
  return { ...call, note: 'edited' }
}

/**
 * Brings the call to the state that the action needs, and performs the action. `made` reads the
 * vendor's log.
 */
export async function performAction(
  action: OperatorAction,
  { call, made }: { readonly call: PlannedCall; readonly made: (item: string) => unknown },
  { node, random }: { readonly node: NodeProcess; readonly random: Random },
): Promise<Reply> {
  const { who } = call
  if (action === 'pin') return node.send({ type: 'pin', who, name: call.item }, WITHIN_MS)
  const reply = await callUntil(isReadyFor[action], call, { node, random })
  switch (action) {
    case 'cancel':
      return reply.status === 'pending' || reply.status === 'asking'
        ? node.send({ type: 'cancel', who, callId: reply.callId }, WITHIN_MS)
        : reply
    case 'edit':
      return reply.status === 'pending'
        ? node.send(
            { type: 'edit', who, approvalId: reply.approvalId, input: toInput(withEdit(call)) },
            WITHIN_MS,
          )
        : reply
    case 'resolve':
      return reply.status === 'failed'
        ? node.send(
            {
              type: 'resolve',
              who,
              callId: reply.callId,
              evidence: { text: 'seen', found: 'done', output: made(call.item) },
            },
            WITHIN_MS,
          )
        : reply
  }
}

type Action = Exclude<OperatorAction, 'pin'>

const isReadyFor: Readonly<Record<Action, (reply: Reply) => boolean>> = {
  cancel: ({ status }) => status === 'pending' || status === 'asking',
  edit: ({ status }) => status === 'pending',
  resolve: (reply) => reply.status === 'failed' && reply.code === 'TOOL_OUTCOME_UNKNOWN',
}

/**
 * Repeats the call until it is in the state that the action needs. On a busy machine the first reply
 * may say that the call is still running, or that nothing was sent in time.
 */
async function callUntil(
  isReady: (reply: Reply) => boolean,
  call: PlannedCall,
  { node, random }: { readonly node: NodeProcess; readonly random: Random },
): Promise<Reply> {
  const untilMs = node.ranForMs + WITHIN_MS
  for (;;) {
    const reply = await node.send(toCallRequest(call, random), WITHIN_MS)
    const isOver = reply.status === 'done' || node.state === 'dead' || node.ranForMs >= untilMs
    if (isReady(reply) || isOver) return reply
    await pause(100)
  }
}
