import { type Caller, type CallRequest, type Maybe, type Outcome, type Progress, toEnvelope } from '@surehand/core'
import { asked, wantsEvents } from './asked.ts'
import { awaitAnswer } from './await-answer.ts'
import { bodyLimit } from './body-limit.ts'
import { leavingApp } from './leaving.ts'
import type { Surface } from './options.ts'
import { readJsonText } from './read-body.ts'
import { respond, SAFE_HEADERS } from './reply.ts'
import type { Visit } from './visit.ts'
import type { WireContext } from './wire.ts'

/** A call as the wire brings it. */
export type WireCall = Omit<CallRequest, 'resumes'> & { readonly signal: AbortSignal }

/** What is known of a call before its body has come; `leaving` is asked for its signal once it has. */
type Named = { readonly tool: string; readonly caller: Caller; readonly leaving: () => AbortSignal }

/** `POST /v1/tools/{id}/call`: the body is the input, everything about the call is in headers. */
export function callRequest(visit: Visit, named: Named, surface: Surface): Maybe<WireCall> {
  const coming = readJsonText(visit, { maxBytes: bodyLimit(named.tool, surface), timeoutMs: surface.bodyTimeoutMs })
  return typeof coming === 'string' ? wireCall(coming, visit, named, surface) : coming.then((json) => wireCall(json, visit, named, surface))
}

function wireCall(json: string, visit: Visit, { tool, caller, leaving }: Named, surface: Surface): WireCall {
  return { tool, input: undefined, json, caller, surface: 'http', signal: leaving(), ...asked(visit, surface) }
}

/** The outcome; a job's answer is waited for as long as was asked. */
export function answered(request: WireCall, surface: Surface): Promise<Outcome> {
  const { withinMs } = request
  const outcome = surface.runtime.call(request)
  return withinMs === undefined ? outcome : outcome.then((told) => waited(told, request, withinMs, surface))
}

async function waited(outcome: Outcome, { caller, signal }: WireCall, waitMs: number, surface: Surface): Promise<Outcome> {
  if (outcome.status !== 'accepted') return outcome
  return (await awaitAnswer(caller, outcome.facts.callId, { surface, waitMs, signal })) ?? outcome
}

/** The call through the app: for those who want its progress, and for addresses that are written in an unusual way. */
export async function callTool(context: WireContext, caller: Caller, surface: Surface): Promise<Response> {
  const visit = context.get('visit')
  const named = { tool: context.req.param('id') ?? '', caller, leaving: () => leavingApp(context) }
  const request = await callRequest(visit, named, surface)
  if (wantsEvents(visit.header('accept'))) return streamed(request, surface)
  return respond(await answered(request, surface), context, surface)
}

/** Progress as server-sent events, the envelope last. */
function streamed(request: WireCall, surface: Surface): Response {
  const left = new AbortController()
  const signal = AbortSignal.any([request.signal, left.signal])
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      // a tool may still report when its answer has been given
      let isOpen = true
      const send = (event: string, data: unknown): void => {
        if (isOpen && !signal.aborted) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      const onProgress = (progress: Progress): void => send('progress', progress)
      const outcome = await answered({ ...request, signal, onProgress }, surface)
      send('envelope', toEnvelope(outcome, { approvalUrl: surface.approvalUrl }))
      isOpen = false
      if (!signal.aborted) controller.close()
    },
    cancel: (reason) => left.abort(reason),
  })
  return new Response(body, { headers: { ...SAFE_HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } })
}
