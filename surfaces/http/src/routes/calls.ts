import { type Caller, type Outcome, ToolError } from '@surehand/core'
import { awaitAnswer, openCallView } from '@surehand/core/host'
import { z } from 'zod'
import { waitOf } from '../asked.ts'
import { callEvents, missingCall } from '../call-events.ts'
import { leavingApp } from '../leaving.ts'
import type { Surface } from '../options.ts'
import { bodyOf, queryOf } from '../query.ts'
import { respond } from '../reply.ts'
import type { Route } from '../route.ts'
import type { WireContext } from '../wire.ts'

const Resolution = z.union([
  z.strictObject({
    found: z.literal('done'),
    text: z.string().min(1).max(4_000),
    output: z.unknown(),
  }),
  z.strictObject({ found: z.literal('not_done'), text: z.string().min(1).max(4_000) }),
])

const ListQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000).default(100) })

/** Kept answers of writes, jobs and approved calls. */
export const callRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/calls',
    command: 'calls.list',
    summary:
      "What waits for a worker, runs, or ended with nobody knowing how: one's own, and everybody's for administrators.",
    async answer(context, caller, { runtime }) {
      const { limit } = queryOf(context, ListQuery)
      return { calls: (await runtime.openCalls(caller, limit)).map(openCallView) }
    },
  },
  {
    method: 'GET',
    path: '/v1/calls/:id',
    command: 'calls.get',
    summary:
      'The answer of a write, a job or an approved call; with Prefer: wait=N it is waited for.',
    answer: async (context, caller, surface) =>
      respond(await answerOf(context, caller, surface), context, surface),
  },
  {
    method: 'DELETE',
    path: '/v1/calls/:id',
    command: 'calls.cancel',
    summary:
      'Cancels what waits or is queued; what has begun is told to stop, and its answer says how it ended.',
    async answer(context, caller, { runtime }) {
      const callId = context.req.param('id') ?? ''
      const before = await runtime.answer(caller, callId)
      if (before === undefined) throw missingCall(callId)
      if (await runtime.cancel(caller, callId)) return { call_id: callId, cancelled: true }
      throw notCancelled(callId, before)
    },
  },
  {
    method: 'GET',
    path: '/v1/calls/:id/tree',
    command: 'calls.tree',
    summary: 'A run with its steps, theirs, and what each came to.',
    async answer(context, caller, { runtime }) {
      const callId = context.req.param('id') ?? ''
      const tree = await runtime.runTree(caller, callId)
      if (tree === undefined) throw missingCall(callId)
      return tree
    },
  },
  {
    method: 'GET',
    path: '/v1/calls/:id/events',
    command: 'calls.events',
    summary:
      'How far a call is, as server-sent events: progress, and the envelope when it has ended or a person is needed.',
    gives: 'text/event-stream',
    answer: callEvents,
  },
  {
    method: 'POST',
    path: '/v1/unknown/:id/resolve',
    command: 'unknown.resolve',
    summary: 'Says, with evidence, what became of a call nobody knew about.',
    async answer(context, caller, surface) {
      const callId = context.req.param('id') ?? ''
      await surface.runtime.resolveUnknown(
        caller,
        callId,
        await bodyOf(context, surface, Resolution),
      )
      return { call_id: callId, resolved: true }
    },
  },
]

async function answerOf(context: WireContext, caller: Caller, surface: Surface): Promise<Outcome> {
  const callId = context.req.param('id') ?? ''
  const waitMs = waitOf(context.get('visit'), surface) ?? 0
  const { runtime, clock } = surface
  const outcome = await awaitAnswer(runtime, caller, callId, {
    clock,
    waitMs,
    signal: leavingApp(context),
    until: 'end',
  })
  if (outcome === undefined) throw missingCall(callId)
  return outcome
}

function notCancelled(callId: string, { status }: Outcome): ToolError {
  const hasEnded = status === 'done' || status === 'failed'
  return new ToolError(
    'TOOL_GATE_CLOSED',
    hasEnded
      ? `The call ${callId} has ended: it can not be cancelled any more.`
      : `The call ${callId} has begun. If it is yours it was told to stop, and its answer says how it ended.`,
    { details: { source_code: hasEnded ? 'not_cancellable' : 'has_begun', call_id: callId } },
  )
}
