import { type Caller, type Outcome, ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { PlacesPort } from '@surehand/places'
import type { OcrPort } from '@surehand/reading'
import type { Reader } from '../market-data.ts'
import type { MarketSettings } from '../market-settings.ts'
import type { CallingPort, MessagingPort } from '../messages/messaging-port.ts'
import type { ReplyModel } from '../replies/model/reply-model.ts'

/** What the steps of the marketplace work with. */
export type MarketContext = Pick<
  PackGiven,
  | 'query'
  | 'values'
  | 'fetch'
  | 'now'
  | 'call'
  | 'systemCaller'
  | 'settleUnknown'
  | 'unknownCalls'
  | 'eraseCalls'
  | 'setting'
> & {
  readonly settings: () => MarketSettings
  readonly messaging: MessagingPort
  readonly calling: CallingPort
  readonly ocr: OcrPort
  readonly places: PlacesPort
  /** The language model that also reads replies, where the operator has set one. */
  readonly replyModel: () => ReplyModel | undefined
}

/** A context for the work of one call, in one tenant. */
export type MarketWork = MarketContext & {
  readonly tenant: string
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly read: Reader
}

export function openWork(context: MarketContext, tenant: string, signal: AbortSignal): MarketWork {
  return {
    ...context,
    tenant,
    caller: context.systemCaller(tenant),
    signal,
    read: (sql, ...values) => context.query(sql, values),
  }
}

export type InternalCall = {
  readonly tool: string
  readonly input: unknown
  /** Without a key the tool itself recognizes a repeat by what is stored. */
  readonly key?: string
  readonly requestId?: string | undefined
}

/** Calls a tool as the system and returns its outcome. */
export function callTool(
  work: MarketWork,
  { tool, input, key, requestId }: InternalCall,
): Promise<Outcome> {
  return work.call({
    tool,
    input,
    caller: work.caller,
    surface: 'marketplace',
    whenRunning: 'wait',
    repeat: 'meant',
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(requestId === undefined ? {} : { requestId }),
  })
}

/** Calls a tool that must be done; throws its error otherwise. */
export async function runTool<T>(work: MarketWork, call: InternalCall): Promise<T> {
  const outcome = await callTool(work, call)
  switch (outcome.status) {
    case 'done':
      return outcome.data as T
    case 'failed':
      throw outcome.error
    case 'accepted':
    case 'pending':
    case 'asking':
      throw new ToolError(
        'TOOL_ALREADY_RUNNING',
        `${call.tool} is not finished yet. Call again with the same key for its answer.`,
      )
  }
}
