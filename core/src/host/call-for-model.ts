import type { ApprovalsApi } from '../approvals/approvals-api.ts'
import type { Caller } from '../call/caller.ts'
import type { Envelope, EnvelopeOptions } from '../call/envelope.ts'
import { parseJson } from '../call/json.ts'
import type { Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { toToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import type { Clock } from '../ports/clock.ts'
import { ANSWER_TOOL } from '../runs/answer-tool.ts'
import type { QuestionsApi } from '../runs/questions-api.ts'
import { type AnswerSource, awaitAnswer, awaitOrKnown } from './await-answer.ts'
import { fetchResult, isResultTool, LONGEST_WAIT_MS } from './result-tool.ts'

/**
 * A call that a model made through a framework; `toolCallId` is empty where the framework has none.
 */
export type HostedCall = {
  readonly tool: Tool
  readonly input: unknown
  readonly toolCallId: string
}

/** The options of one call that a host may set, as HTTP does with headers. */
export type HostCallOptions = Partial<
  Pick<
    CallRequest,
    'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId' | 'notify'
  >
>

/** The options of every framework adapter. */
export type HostOptions = EnvelopeOptions & {
  /**
   * The id of the chat, thread or run these calls belong to. With it, a repeated call is recognized
   * as the same call, so it must not change between requests.
   */
  readonly run?: string
  /** How long a model waits for a job; 0: it gets the answer `accepted` at once. */
  readonly waitMs?: number
  readonly clock?: Clock
  readonly request?: (call: HostedCall) => HostCallOptions
  /** Called with the envelope of every call. */
  readonly onEnvelope?: (envelope: Envelope, toolCallId: string) => void
}

/** How long a model waits for a job by default. */
export const HOST_WAIT_MS = LONGEST_WAIT_MS

/** What a framework's adapter calls: a runtime. */
export type Callable = AnswerSource & {
  readonly call: (request: Omit<CallRequest, 'resumes'>) => Promise<Outcome>
}

/** How long a model waits for a job. 0: it gets the answer `accepted` at once. */
export type WaitOptions = { readonly waitMs: number; readonly clock: Clock }

/**
 * Runs one call that a model made through a framework, and waits a while for its answer: for jobs,
 * and after an answer to a run's question for the run. A call of `surehand.result` fetches the
 * answer of an earlier one.
 */
export async function callForModel(
  runtime: Callable,
  request: Omit<CallRequest, 'resumes'>,
  wait: WaitOptions,
): Promise<Outcome> {
  if (isResultTool(request.tool))
    return fetchResult(runtime, request.caller, readRequestInput(request), {
      clock: wait.clock,
      signal: request.signal,
    })
  const outcome = await runtime.call({ ...request, writtenBy: 'model' })
  const callId = findContinuation(outcome)
  if (callId === undefined || wait.waitMs === 0) return outcome
  const { caller, signal, onProgress } = request
  return awaitOrKnown(outcome, () =>
    awaitAnswer(runtime, caller, callId, { ...wait, signal, until: 'news', onProgress }),
  )
}

const MAX_INPUT_BYTES = 4_096

// Some frameworks pass the input on as the text that the model wrote.
function readRequestInput({ input, json }: Pick<CallRequest, 'input' | 'json'>): unknown {
  if (json === undefined) return input
  try {
    return parseJson(json, MAX_INPUT_BYTES)
  } catch {
    return undefined
  }
}

function findContinuation(outcome: Outcome): string | undefined {
  // A repeated call with the same key returns the job that was queued the first time.
  if (outcome.status === 'accepted') return outcome.jobId
  if (outcome.status !== 'done' || outcome.facts.tool !== ANSWER_TOOL) return undefined
  // Types are erased here: the tool's output has been checked against its schema.
  return (outcome.data as { readonly call_id: string }).call_id
}

/** The approval request or question that a host showed to a person. */
export type ShownRequest = { readonly id: string; readonly digest: string }

/** The person who decided, and the host that relays it. */
export type RelayedBy = { readonly caller: Caller; readonly host: string; readonly reason?: string }

/**
 * Passes a decision that a host relays to the approvals API, which checks whether it is accepted.
 * False if it is not: the request stays pending, and the call's answer says so.
 */
export async function relayVerdict(
  approvals: ApprovalsApi,
  verdict: 'approve' | 'deny',
  shown: ShownRequest,
  relaying: RelayedBy,
): Promise<boolean> {
  const { caller, host, reason } = relaying
  const credential = { kind: 'attested', host } as const
  const form = {
    verdict,
    digest: shown.digest,
    credential,
    ...(reason === undefined ? {} : { reason }),
  }
  try {
    await approvals.decide(caller, shown.id, form)
    return true
  } catch (thrown) {
    if (!isNotForHost(toToolError(thrown).code)) throw thrown
    return false
  }
}

/**
 * Passes on an answer to a run's question. Returns what is wrong with it, if the person can correct
 * it.
 */
export async function relayAnswer(
  questions: QuestionsApi,
  answer: unknown,
  shown: ShownRequest,
  { caller, host }: RelayedBy,
): Promise<string | undefined> {
  try {
    await questions.answer(caller, shown.id, {
      answer,
      digest: shown.digest,
      credential: { kind: 'attested', host },
    })
    return undefined
  } catch (thrown) {
    const { code, message, details } = toToolError(thrown)
    if (details?.validation_errors !== undefined) return message
    if (isNotForHost(code) || code === 'TOOL_RESOURCE_NOT_FOUND') return undefined
    throw thrown
  }
}

function isNotForHost(code: string): boolean {
  return code === 'TOOL_INSUFFICIENT_PERMISSIONS' || code === 'TOOL_GATE_CLOSED'
}
