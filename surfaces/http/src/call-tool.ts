import { type Caller, type CallRequest, type Outcome, type Progress, sleep, toEnvelope } from '@surehand/core'
import { edgeError } from './edge-error.ts'
import type { Surface } from './options.ts'
import { readJsonText } from './read-body.ts'
import { reply, SAFE_HEADERS } from './reply.ts'
import type { WireContext } from './wire.ts'

const DEFAULT_MAX_BYTES = 1_048_576

/** `POST /v1/tools/{id}/call`: the body is the input, everything about the call is in headers. */
export async function callTool(context: WireContext, caller: Caller, surface: Surface): Promise<Response> {
  const tool = context.req.param('id') ?? ''
  const json = await readJsonText(context.req.raw, { maxBytes: maxBytesOf(tool, surface), timeoutMs: surface.bodyTimeoutMs })
  const signal = leaving(context)
  const request = { tool, input: undefined, json, caller, surface: 'http', signal, ...asked(context, surface) }
  if (accepts(context, 'text/event-stream')) return streamed(request, surface)
  return reply(await answered(request, surface), context, surface)
}

// a name that is not an id may be an alias of the tool that takes most; the runtime judges by the tool it finds
function maxBytesOf(id: string, { runtime }: Surface): number {
  const tools = runtime.tools()
  const tool = tools.find((candidate) => candidate.id === id)
  return tool?.contract.maxInputBytes ?? Math.max(DEFAULT_MAX_BYTES, ...tools.map(({ contract }) => contract.maxInputBytes))
}

type Asked = Pick<CallRequest, 'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId'>

/** What the headers say about the call. */
function asked(context: WireContext, surface: Surface): Asked {
  const key = context.req.header('idempotency-key')
  const waitMs = waitOf(context, surface)
  const requestId = context.req.header('x-request-id')
  return {
    ...(key === undefined ? {} : { idempotencyKey: unquoted(key) }),
    ...(waitMs === undefined ? {} : { withinMs: waitMs, whenRunning: 'wait' as const }),
    ...(context.req.header('surehand-repeat') === 'meant' ? { repeat: 'meant' as const } : {}),
    ...(requestId !== undefined && /^[\x21-\x7e]{1,128}$/.test(requestId) ? { requestId } : {}),
  }
}

// the draft's form is a quoted text, what clients send is a bare one: both are the same key
function unquoted(key: string): string {
  return /^"[^"\\]*"$/.test(key) ? key.slice(1, -1) : key
}

/** `Prefer: wait=N`, in milliseconds. */
export function waitOf(context: WireContext, { longestWaitMs }: Surface): number | undefined {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6}(?:\.\d{1,3})?)"?\s*(?:$|[,;])/i.exec(context.req.header('prefer') ?? '') ?? []
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1_000, longestWaitMs)
}

function accepts(context: WireContext, type: string): boolean {
  return (context.req.header('accept') ?? '').split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === type)
}

// a job's answer is waited for as long as was asked
async function answered(request: Omit<CallRequest, 'resumes'>, surface: Surface): Promise<Outcome> {
  const outcome = await surface.runtime.call(request)
  if (outcome.status !== 'accepted' || request.withinMs === undefined) return outcome
  const later = await awaitAnswer(request.caller, outcome.facts.callId, { surface, waitMs: request.withinMs, signal: request.signal })
  return later ?? outcome
}

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500

type Waiting = { readonly surface: Surface; readonly waitMs: number; readonly signal: AbortSignal | undefined }

/** Looks for a kept answer until it is there or the time is over. */
export async function awaitAnswer(caller: Caller, callId: string, { surface, waitMs, signal }: Waiting): Promise<Outcome | undefined> {
  const { clock, runtime } = surface
  const until = clock.ticks() + waitMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const outcome = await runtime.answer(caller, callId)
    const isOpen = outcome?.status === 'accepted' || outcome?.status === 'pending'
    const leftMs = until - clock.ticks()
    if (!isOpen || leftMs <= 0) return outcome
    await sleep(clock, Math.min(pauseMs, leftMs), signal)
  }
}

/** Aborts when the client goes before it has its answer. */
export function leaving(context: WireContext): AbortSignal {
  const outgoing = context.env?.outgoing
  if (outgoing === undefined) return context.req.raw.signal
  const left = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort(edgeError('malformed', 'The client has left.'))
  })
  return left.signal
}

/** Progress as server-sent events, the envelope last. */
function streamed(request: Omit<CallRequest, 'resumes'>, surface: Surface): Response {
  const left = new AbortController()
  const signal = request.signal === undefined ? left.signal : AbortSignal.any([request.signal, left.signal])
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
