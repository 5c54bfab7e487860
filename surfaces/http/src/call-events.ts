import { type Caller, ToolError } from '@surehand/core'
import { awaitAnswer } from '@surehand/core/host'
import { isStillAuthenticated } from '@surehand/edge'
import { preferredWaitMs } from './call-options.ts'
import { eventStream } from './event-stream.ts'
import type { HttpContext } from './http-env.ts'
import type { Surface } from './options.ts'

/**
 * `GET /v1/calls/{id}/events`: the progress of a call, whichever node runs it, until it has ended
 * or a person is needed.
 */
export async function callEvents(
  context: HttpContext,
  caller: Caller,
  surface: Surface,
): Promise<Response> {
  const callId = context.req.param('id') ?? ''
  const request = context.get('request')
  const first = await surface.runtime.answer(caller, callId)
  if (first === undefined) throw missingCall(callId)
  const waitMs = preferredWaitMs(request, surface) ?? Number.POSITIVE_INFINITY
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
      // The stream may stay open for hours; it ends when the token is revoked meanwhile.
      isStillAuthorized: () => isStillAuthenticated(request, surface.identity.authenticate),
    },
    surface,
  )
}

export function missingCall(callId: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`, {
    details: { call_id: callId },
  })
}
