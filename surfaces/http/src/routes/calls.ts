import { type Caller, type Outcome, ToolError } from '@surehand/core'
import { awaitAnswer, openCallView } from '@surehand/core/host'
import { CallTraceSchema, OpenCallSchema, RunTreeSchema } from '@surehand/edge/api'
import { z } from 'zod'
import { preferredWaitMs } from '../call-options.ts'
import { takeTurns } from '../call-tool.ts'
import { disconnectSignalOf } from '../disconnect-signal.ts'
import { eventStream } from '../event-stream.ts'
import type { HttpContext } from '../http-env.ts'
import type { Surface } from '../options.ts'
import { PageQuery, pageReturned, pageView, readPage } from '../paging.ts'
import { parseBody, parseQuery } from '../parse-request.ts'
import { respond } from '../reply.ts'
import type { Documented, Route } from '../route.ts'
import { auditFor } from './audit.ts'

const Resolution = z.union([
  z.strictObject({
    found: z.literal('done'),
    text: z.string().min(1).max(4_000),
    output: z.unknown(),
  }),
  z.strictObject({ found: z.literal('not_done'), text: z.string().min(1).max(4_000) }),
])

const CALL_ID = 'call_01jd3k8m2nq4r5s6t7v8w9x0ya'
const DATES = { created_at: '2026-11-16T09:00:00.000Z', updated_at: '2026-11-16T09:00:02.000Z' }

const openCall: Documented = {
  schema: () => OpenCallSchema,
  example: {
    call_id: CALL_ID,
    principal: 'ann',
    tool: 'trip.plan',
    tool_version: '1.0.0',
    state: 'queued',
    ...DATES,
  },
}
const tree: Documented = {
  schema: () => RunTreeSchema,
  example: {
    call_id: CALL_ID,
    tool: 'trip.plan@1.0.0',
    state: 'parked',
    ...DATES,
    steps: [{ path: 'book', what: 'step', tool: 'trip.book', state: 'waiting', steps: [] }],
  },
}

/** Stored answers of writes, jobs and approved calls. */
export const callRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/calls',
    command: 'calls.list',
    summary:
      "Lists calls that are queued, running, or ended with an unknown outcome, the newest first: your own, and for administrators all of the tenant's.",
    query: PageQuery,
    returns: pageReturned(openCall),
    async handle(context, caller, { runtime }) {
      const wanted = readPage('calls.list', parseQuery(context, PageQuery))
      return pageView('calls.list', await runtime.openCalls(caller, wanted), openCallView)
    },
  },
  {
    method: 'GET',
    path: '/v1/calls/:id',
    command: 'calls.get',
    summary:
      'Returns the answer of a write, a job or an approved call. With Prefer: wait=N the response waits for it.',
    headers: ['Prefer'],
    returns: 'call',
    handle: async (context, caller, surface) =>
      respond(await awaitCall(context, caller, surface), context, surface),
  },
  {
    method: 'GET',
    path: '/v1/calls/:id/trace',
    command: 'calls.trace',
    summary:
      'Returns the passes of a call through the pipeline with the times of its stages, attempts and requests to providers, and its redacted input. Stored for seven days, of at most 100 calls in a second. For administrators.',
    returns: {
      schema: () => z.object({ passes: z.array(CallTraceSchema) }),
      example: {
        passes: [
          {
            call_id: CALL_ID,
            principal: 'ann',
            tool_name: 'trip.plan',
            key: 'trip-7',
            input: '{"city":"Lisbon"}',
            outcome: 'done',
            started_at: 1_794_823_200_000,
            duration_ms: 12,
            stages: [{ stage: 'perform', outcome: 'answered', at_ms: 1, duration_ms: 11 }],
            attempts: [{ at_ms: 2, duration_ms: 9, code: '', reason: '' }],
            requests: [{ at_ms: 2, duration_ms: 8, port: 'offers', method: 'find', code: '' }],
          },
        ],
      },
    },
    async handle(context, caller, surface) {
      const { traces } = auditFor(caller, surface)
      const passes = (await traces?.(caller.tenant, context.req.param('id') ?? '')) ?? []
      return { passes: passes.map(({ tenant: _, ...pass }) => pass) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/calls/:id',
    command: 'calls.cancel',
    summary:
      'Cancels a call that waits or is queued. A running call is asked to stop, and its answer says how it ended.',
    returns: {
      schema: () => z.object({ call_id: z.string(), cancelled: z.literal(true) }),
      example: { call_id: CALL_ID, cancelled: true },
    },
    async handle(context, caller, { runtime }) {
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
    summary: 'Returns a run with its steps, their own steps, and the outcome of each.',
    returns: tree,
    async handle(context, caller, { runtime }) {
      const callId = context.req.param('id') ?? ''
      const found = await runtime.runTree(caller, callId)
      if (found === undefined) throw missingCall(callId)
      return found
    },
  },
  {
    method: 'GET',
    path: '/v1/calls/:id/events',
    command: 'calls.events',
    summary:
      'Streams the progress of a call as server-sent events, and the envelope when it has ended or a person is needed.',
    headers: ['Prefer'],
    returns: 'events',
    handle: callEvents,
  },
  {
    method: 'POST',
    path: '/v1/unknown/:id/resolve',
    command: 'unknown.resolve',
    summary: 'Resolves a call with an unknown outcome, with evidence.',
    body: {
      schema: () => Resolution,
      example: { found: 'not_done', text: 'The shop has no order of this number.' },
    },
    returns: {
      schema: () => z.object({ call_id: z.string(), resolved: z.literal(true) }),
      example: { call_id: CALL_ID, resolved: true },
    },
    async handle(context, caller, surface) {
      const callId = context.req.param('id') ?? ''
      await surface.runtime.resolveUnknown(
        caller,
        callId,
        await parseBody(context, surface, Resolution),
      )
      return { call_id: callId, resolved: true }
    },
  },
]

async function awaitCall(context: HttpContext, caller: Caller, surface: Surface): Promise<Outcome> {
  const callId = context.req.param('id') ?? ''
  const waitMs = preferredWaitMs(context.get('request'), surface) ?? 0
  const { runtime, clock } = surface
  const outcome = await awaitAnswer(runtime, caller, callId, {
    clock,
    waitMs,
    signal: disconnectSignalOf(context),
    until: 'end',
    turn: takeTurns(caller, surface.edge.polls),
  })
  if (outcome === undefined) throw missingCall(callId)
  return outcome
}

function notCancelled(callId: string, { status }: Outcome): ToolError {
  const hasEnded = status === 'done' || status === 'failed'
  return new ToolError(
    'TOOL_GATE_CLOSED',
    hasEnded
      ? `The call ${callId} has ended and can no longer be cancelled.`
      : `The call ${callId} is running. If it is yours, it was asked to stop, and its answer will say how it ended.`,
    { details: { source_code: hasEnded ? 'not_cancellable' : 'has_begun', call_id: callId } },
  )
}

/**
 * `GET /v1/calls/{id}/events`: the progress of a call, whichever node runs it, until it has ended
 * or a person is needed.
 */
async function callEvents(
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
      caller,
      work: async (send, signal) =>
        (await awaitAnswer(surface.runtime, caller, callId, {
          clock: surface.clock,
          waitMs,
          signal,
          until: 'news',
          onProgress: (progress) => send('progress', progress),
          turn: takeTurns(caller, surface.edge.polls),
        })) ?? first,
    },
    surface,
  )
}

function missingCall(callId: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`, {
    details: { call_id: callId },
  })
}
