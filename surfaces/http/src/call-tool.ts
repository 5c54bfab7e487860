import type { Caller, CallRequest, Outcome, Tool } from '@surehand/core'
import { awaitAnswer, type Pace } from '@surehand/core/host'
import type { Maybe } from '@surehand/core/ports'
import {
  chargeBody,
  chargeNotice,
  decodeBody,
  decodeLargeBody,
  type FairTurns,
  freeMemory,
  paceBody,
  paceWork,
  readJsonBytes,
} from '@surehand/edge'
import { callOptionsFromHeaders, wantsEvents } from './call-options.ts'
import { disconnectSignalOf } from './disconnect-signal.ts'
import { type EventStreamSource, eventStream } from './event-stream.ts'
import type { HttpContext } from './http-env.ts'
import type { HttpRequest } from './http-request.ts'
import type { Surface } from './options.ts'
import { respond } from './reply.ts'

/** A call as an HTTP request describes it. */
export type HttpCall = Omit<CallRequest, 'resumes'> & { readonly signal: AbortSignal }

/** What is known of a call before its body has arrived. */
type CallTarget = {
  readonly tool: string
  readonly caller: Caller
  /** The name that the requests of this caller are counted under. */
  readonly credential: string
  readonly disconnectSignal: () => AbortSignal
}

/** `POST /v1/tools/{id}/call`: the body is the input, the options of the call are headers. */
export function readCallRequest(
  request: HttpRequest,
  target: CallTarget,
  surface: Surface,
): Maybe<HttpCall> {
  const { credential } = target
  const maxBytes = maxInputBytes(target.tool, target.caller.tenant, surface)
  chargeBody(request, { maxBytes, credential }, surface.edge)
  if (request.header('surehand-notify') !== undefined) chargeNotice(credential, surface.edge)
  const arriving = readJsonBytes(request, {
    maxBytes,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  if (!(arriving instanceof Promise)) return bodyAsCall(arriving, request, target, surface)
  return arriving.then(async (body) => {
    const call = await bodyAsCall(body, request, target, surface)
    freeMemory(body)
    return call
  })
}

function bodyAsCall(
  body: Buffer,
  request: HttpRequest,
  target: CallTarget,
  surface: Surface,
): Maybe<HttpCall> {
  const { credential } = target
  const pace = paceBody(request, { bytes: body.length, credential }, surface.edge)
  return pace === undefined
    ? toHttpCall({ json: decodeBody(body) }, request, target, surface)
    : decodeLargeBody(body, pace).then((longJson) =>
        toHttpCall({ longJson, pace }, request, target, surface),
      )
}

function toHttpCall(
  given: Pick<HttpCall, 'json' | 'longJson' | 'pace'>,
  request: HttpRequest,
  { tool, caller, disconnectSignal }: CallTarget,
  surface: Surface,
): HttpCall {
  return {
    tool,
    input: undefined,
    ...given,
    caller,
    surface: 'http',
    signal: disconnectSignal(),
    ...callOptionsFromHeaders(request, surface),
  }
}

const DEFAULT_MAX_BYTES = 1_048_576

type InputLimits = { readonly byId: ReadonlyMap<string, number>; readonly largest: number }

// The registry returns the same list until a tool is added, so a thousand tools are not measured
// for each call.
const inputLimits = new WeakMap<readonly Tool[], InputLimits>()

/**
 * How large a tool's input may be. A name that is not an id may be an alias of any tool; the
 * runtime checks again.
 */
function maxInputBytes(id: string, tenant: string, { runtime }: Surface): number {
  const tools = runtime.tools(tenant)
  const limits = inputLimits.get(tools) ?? measureInputs(tools)
  inputLimits.set(tools, limits)
  return limits.byId.get(id) ?? limits.largest
}

function measureInputs(tools: readonly Tool[]): InputLimits {
  const byId = new Map(tools.map(({ id, contract }) => [id, contract.maxInputBytes]))
  return { byId, largest: Math.max(DEFAULT_MAX_BYTES, ...byId.values()) }
}

/**
 * Runs the call; with `Prefer: wait`, the answer of a job is awaited so long, or until a person is
 * needed.
 */
export function runAndAwait(call: HttpCall, surface: Surface): Promise<Outcome> {
  const { withinMs, pace } = call
  const outcome = pace === undefined ? surface.runtime.call(call) : runInTurns(call, pace, surface)
  return withinMs === undefined
    ? outcome
    : outcome.then((first) => awaitJob(first, call, withinMs, surface))
}

/** The answer of a call with a large input is written in a turn of its own. */
async function runInTurns(call: HttpCall, pace: Pace, { runtime }: Surface): Promise<Outcome> {
  await pace()
  const outcome = await runtime.call(call)
  await pace()
  return outcome
}

async function awaitJob(
  outcome: Outcome,
  { caller, signal, onProgress }: HttpCall,
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
      turn: takeTurns(caller, surface.edge.polls),
    })) ?? outcome
  )
}

/** What the turns and budgets of a caller are counted by. */
export function nameOf({ tenant, principal }: Caller): string {
  return JSON.stringify([tenant, principal])
}

/** The turns of one caller: every principal comes once before any comes again. */
export function takeTurns(
  caller: Caller,
  turns: FairTurns,
): (signal: AbortSignal | undefined) => Promise<void> {
  const name = nameOf(caller)
  return (signal) => turns.next(name, { signal })
}

/**
 * Called before each step of making a long list: waits for a turn of this caller where the last one
 * is used up. Rejects when the client has disconnected.
 */
export function paceListing(context: HttpContext, caller: Caller, { edge }: Surface): Pace {
  const signal = disconnectSignalOf(context)
  const name = nameOf(caller)
  return paceWork((order) => edge.listings.next(name, { signal, order }))
}

/**
 * A call that the Hono app received: with progress as events, or with its path in an unusual form.
 */
export async function callTool(
  context: HttpContext,
  caller: Caller,
  surface: Surface,
): Promise<Response> {
  const request = context.get('request')
  const target = {
    tool: context.req.param('id') ?? '',
    caller,
    credential: context.get('identity')?.countedAs ?? '',
    disconnectSignal: () => disconnectSignalOf(context),
  }
  const call = await readCallRequest(request, target, surface)
  if (!wantsEvents(request.header('accept')))
    return respond(await runAndAwait(call, surface), context, surface)
  return eventStream(context, eventsOf(call, surface), surface)
}

/** The progress of a call, and its outcome. */
export function eventsOf(call: HttpCall, surface: Surface): EventStreamSource {
  return {
    command: 'tools.call',
    caller: call.caller,
    work: (send, signal) =>
      runAndAwait(
        { ...call, signal, onProgress: (progress) => send('progress', progress) },
        surface,
      ),
  }
}
