import type { Caller, CallRequest, Outcome } from '@surehand/core'
import { awaitAnswer } from '@surehand/core/host'
import type { Maybe } from '@surehand/core/ports'
import { asked, wantsEvents } from './asked.ts'
import { bodyLimit } from './body-limit.ts'
import { type EventSource, eventStream } from './event-stream.ts'
import { leavingApp } from './leaving.ts'
import type { Surface } from './options.ts'
import { readJsonText } from './read-body.ts'
import { respond } from './reply.ts'
import type { Visit } from './visit.ts'
import type { WireContext } from './wire.ts'

/** A call as the wire brings it. */
export type WireCall = Omit<CallRequest, 'resumes'> & { readonly signal: AbortSignal }

/** What is known of a call before its body has come; `leaving` is asked for its signal once it has. */
type Named = { readonly tool: string; readonly caller: Caller; readonly leaving: () => AbortSignal }

/** `POST /v1/tools/{id}/call`: the body is the input, everything about the call is in headers. */
export function callRequest(visit: Visit, named: Named, surface: Surface): Maybe<WireCall> {
  const coming = readJsonText(visit, {
    maxBytes: bodyLimit(named.tool, named.caller.tenant, surface),
    timeoutMs: surface.bodyTimeoutMs,
  })
  return typeof coming === 'string'
    ? wireCall(coming, visit, named, surface)
    : coming.then((json) => wireCall(json, visit, named, surface))
}

function wireCall(
  json: string,
  visit: Visit,
  { tool, caller, leaving }: Named,
  surface: Surface,
): WireCall {
  return {
    tool,
    input: undefined,
    json,
    caller,
    surface: 'http',
    signal: leaving(),
    ...asked(visit, surface),
  }
}

/** The outcome; a job's answer is waited for as long as was asked, or until a person is needed. */
export function answered(request: WireCall, surface: Surface): Promise<Outcome> {
  const { withinMs } = request
  const outcome = surface.runtime.call(request)
  return withinMs === undefined
    ? outcome
    : outcome.then((told) => waited(told, request, withinMs, surface))
}

async function waited(
  outcome: Outcome,
  { caller, signal, onProgress }: WireCall,
  waitMs: number,
  surface: Surface,
): Promise<Outcome> {
  if (outcome.status !== 'accepted') return outcome
  const { runtime, clock } = surface
  return (
    (await awaitAnswer(runtime, caller, outcome.facts.callId, {
      clock,
      waitMs,
      signal,
      until: 'news',
      onProgress,
    })) ?? outcome
  )
}

/** The call through the app: for those who want its progress, and for addresses that are written in an unusual way. */
export async function callTool(
  context: WireContext,
  caller: Caller,
  surface: Surface,
): Promise<Response> {
  const visit = context.get('visit')
  const named = { tool: context.req.param('id') ?? '', caller, leaving: () => leavingApp(context) }
  const request = await callRequest(visit, named, surface)
  if (!wantsEvents(visit.header('accept')))
    return respond(await answered(request, surface), context, surface)
  const work: EventSource['work'] = (onProgress, signal) =>
    answered({ ...request, signal, onProgress }, surface)
  return eventStream(context, { command: 'tools.call', work }, surface)
}
