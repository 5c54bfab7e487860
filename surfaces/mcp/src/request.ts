import {
  type ClientCapabilities,
  type LoggingLevel,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import type { Caller, CallRequest } from '@surehand/core'
import type { Pace } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { createProgressReporter, type ProgressReporter } from './progress.ts'

export const KEY_META = 'surehand/idempotencyKey'
const NOTIFY_META = 'surehand/notify'
export const WITHIN_META = 'surehand/withinMs'
export const WHEN_RUNNING_META = 'surehand/whenRunning'
export const REPEAT_META = 'surehand/repeat'
/** `{ run, toolCall }`: ids of the host, which identify a call only together. */
export const HOST_CALL_META = 'surehand/hostCall'
export const REQUEST_META = 'surehand/requestId'

export type Notify = (method: string, params: Readonly<Record<string, unknown>>) => void

/** A tools/call of any protocol revision and transport. */
export type ToolsCall = {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** The input as the client sent it, and will send it again with its answers. */
  readonly sent: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly inputResponses: Readonly<Record<string, unknown>>
  readonly requestState: string | undefined
  readonly caller: Caller
  readonly capabilities: ClientCapabilities
  /** Clients of 2025 are told when the page of a URL elicitation is done with. */
  readonly isLegacy: boolean
  readonly logLevel: LoggingLevel | undefined
  readonly signal: AbortSignal
  /** Set where the message is large: the call is worked on in parts. */
  readonly pace?: Pace | undefined
  readonly notify: Notify
  /** Set where the client asked for progress. */
  readonly progress: ProgressReporter | undefined
}

export type CallContext = Pick<
  ToolsCall,
  'caller' | 'capabilities' | 'isLegacy' | 'logLevel' | 'signal' | 'notify' | 'pace'
>

/** Whether the end of the call in a message is sent to a webhook. */
export function namesWebhook(message: unknown): boolean {
  const params = isRecord(message) ? message.params : undefined
  const meta = isRecord(params) ? params._meta : undefined
  return isRecord(meta) && meta[NOTIFY_META] !== undefined
}

/** Reads the parameters of a tools/call; throws where they are not what the protocol demands. */
export function readToolsCall(
  params: Readonly<Record<string, unknown>>,
  transported: CallContext,
): ToolsCall {
  const {
    name,
    arguments: input = {},
    _meta: meta = {},
    inputResponses = {},
    requestState,
  } = params
  if (typeof name !== 'string') throw invalid('`name` must be the name of a tool.')
  if (!isRecord(input)) throw invalid('`arguments` must be an object.')
  if (!isRecord(meta)) throw invalid('`_meta` must be an object.')
  if (!isRecord(inputResponses) || !Object.values(inputResponses).every(isRecord))
    throw invalid('`inputResponses` must be an object whose values are objects.')
  if (requestState !== undefined && typeof requestState !== 'string')
    throw invalid('`requestState` must be the text that the server returned.')
  const progress = createProgressReporter(meta, transported.notify)
  return { name, input, sent: input, meta, inputResponses, requestState, progress, ...transported }
}

/** A tools/call as a request to the runtime. */
export function toCallRequest(call: ToolsCall): Omit<CallRequest, 'resumes'> {
  const { meta } = call
  const key = meta[KEY_META]
  const withinMs = meta[WITHIN_META]
  if (key !== undefined && typeof key !== 'string')
    throw invalid(`_meta["${KEY_META}"] must be text.`)
  if (withinMs !== undefined && typeof withinMs !== 'number')
    throw invalid(`_meta["${WITHIN_META}"] must be a number of milliseconds.`)
  return {
    tool: call.name,
    input: call.input,
    caller: call.caller,
    surface: surfaceOf(call.caller),
    signal: call.signal,
    pace: call.pace,
    // Without a key in `_meta` the arguments were written by a model, and a key among them is
    // invented: a new one for each call would defeat the guard against duplicates.
    ...(key === undefined ? { writtenBy: 'model' as const } : { idempotencyKey: key }),
    ...(withinMs === undefined ? {} : { withinMs }),
    ...readHostCall(meta[HOST_CALL_META]),
    ...(typeof meta[NOTIFY_META] === 'string' ? { notify: meta[NOTIFY_META] } : {}),
    ...(typeof meta[REQUEST_META] === 'string' ? { requestId: meta[REQUEST_META] } : {}),
    ...(meta[WHEN_RUNNING_META] === 'wait' ? { whenRunning: 'wait' as const } : {}),
    ...(meta[REPEAT_META] === 'meant' ? { repeat: 'meant' as const } : {}),
    ...(call.progress === undefined ? {} : { onProgress: call.progress.report }),
  }
}

// The audit has no field for the credential. An OAuth client is one program among several of the
// same person, so the record names the consent that it acts with.
function surfaceOf({ session }: Caller): string {
  return session?.startsWith('oauth:') ? `mcp ${session}` : 'mcp'
}

function readHostCall(given: unknown): Pick<CallRequest, 'hostCall'> {
  if (given === undefined) return {}
  if (!isRecord(given) || typeof given.run !== 'string' || typeof given.toolCall !== 'string')
    throw invalid(`_meta["${HOST_CALL_META}"] must be { run, toolCall }, both text.`)
  return { hostCall: { run: given.run, toolCall: given.toolCall } }
}

export function invalid(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data)
}
