import { type Caller, ToolError } from '@surehand/core'
import { awaitAnswer } from '@surehand/core/host'
import { isStillAdmitted } from './admit-caller.ts'
import { waitOf } from './asked.ts'
import { eventStream } from './event-stream.ts'
import type { Surface } from './options.ts'
import type { WireContext } from './wire.ts'

/** `GET /v1/calls/{id}/events`: how far a call is, from whichever node drives it, until it has ended or a person is needed. */
export async function callEvents(
  context: WireContext,
  caller: Caller,
  surface: Surface,
): Promise<Response> {
  const callId = context.req.param('id') ?? ''
  const visit = context.get('visit')
  const first = await surface.runtime.answer(caller, callId)
  if (first === undefined) throw missingCall(callId)
  const waitMs = waitOf(visit, surface) ?? Number.POSITIVE_INFINITY
  return eventStream(
    context,
    {
      command: 'calls.events',
      work: async (onProgress, signal) =>
        (await awaitAnswer(surface.runtime, caller, callId, {
          clock: surface.clock,
          waitMs,
          signal,
          until: 'news',
          onProgress,
        })) ?? first,
      // it may go on for hours: a token that was taken back meanwhile hears no more
      isWelcome: () => isStillAdmitted(visit, surface),
    },
    surface,
  )
}

export function missingCall(callId: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`, {
    details: { call_id: callId },
  })
}
