import {
  type Caller,
  type Envelope,
  type Outcome,
  type Runtime,
  ToolError,
  toEnvelope,
} from '@surehand/core'
import {
  type CallFacts,
  callForModel,
  HOST_WAIT_MS,
  isErrorFor,
  modelText,
  toolsForModel,
} from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import { systemClock } from '@surehand/core/ports'
import { compileOffers, lossesOf, type Offer, type ToolLoss, toOfferedTool } from './offer.ts'
import type { FunctionCallingOptions } from './options.ts'
import type { ProviderName, RequestedCall } from './providers/wire.ts'
import { type MessageOf, type ToolsOf, wireOf } from './providers/wires.ts'
import { toCallRequest } from './request.ts'

/** A runtime's tools for one caller, in one vendor's format. */
export type FunctionCalling<P extends ProviderName> = {
  /** The tools that the caller may use now, as the `tools` of a request. */
  readonly tools: () => Promise<ToolsOf[P]>
  /** The constraints that the vendor's dialect cannot express; the runtime still checks them. */
  readonly losses: () => Promise<readonly ToolLoss[]>
  /**
   * Makes the calls of a model's response concurrently and returns the messages to append after it,
   * in the order of the calls; an empty list if the model called nothing. The calls of an
   * incomplete or blocked response are not made, and each message says so. With a `run`, the writes
   * of a response that is handled twice happen once.
   */
  readonly handle: (
    response: unknown,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<readonly MessageOf[P][]>
}

/**
 * Surehand's tools as function-calling JSON.
 *
 * @example
 * const calling = functionCalling(runtime, caller, { provider: 'openai-chat', run: chatId })
 * const completion = await ask({ messages, tools: await calling.tools() })
 * messages.push(completion.choices[0].message, ...(await calling.handle(completion)))
 */
export function functionCalling<P extends ProviderName>(
  runtime: Runtime,
  caller: Caller,
  options: FunctionCallingOptions<P>,
): FunctionCalling<P> {
  const wire = wireOf(options.provider)
  const { strict, plain, preferred } = wire.dialects
  const isStrict =
    options.strict === undefined ? preferred === 'strict' : options.strict === 'prefer'
  const waiting = { waitMs: options.waitMs ?? HOST_WAIT_MS, clock: options.clock ?? systemClock() }

  async function offers(): Promise<readonly Offer[]> {
    return compileOffers(await toolsForModel(runtime, caller), {
      wanted: isStrict ? strict : plain,
      plain,
    })
  }

  async function answer(
    call: RequestedCall,
    offered: readonly Offer[],
    signal: AbortSignal | undefined,
  ): Promise<Envelope> {
    const { approvalUrl, questionUrl } = options
    const pages = {
      ...(approvalUrl === undefined ? {} : { approvalUrl }),
      ...(questionUrl === undefined ? {} : { questionUrl }),
    }
    // An exception in one call, even in a function of the host, must not lose the answers of the
    // other calls, which are done.
    const envelope = await outcomeOf(call, offered, signal)
      .then((outcome) => toEnvelope(outcome, pages))
      .catch((thrown: unknown) => toEnvelope(failUnansweredCall(call, thrown)))
    try {
      options.onEnvelope?.(envelope, call.id ?? '')
    } catch {
      // An exception of a listener must not keep the answer from the model.
    }
    return envelope
  }

  async function outcomeOf(
    call: RequestedCall,
    offered: readonly Offer[],
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const given = call.arguments
    if ('cut' in given) return failIncompleteCall(call, given.cut)
    const context = { runtime, caller, options, offers: offered, signal }
    let request: ReturnType<typeof toCallRequest>
    try {
      request = toCallRequest({ ...call, arguments: given }, context)
    } catch (thrown) {
      return failUnrequestedCall(call, thrown)
    }
    return callForModel(runtime, request, waiting)
  }

  return {
    tools: async () => wire.describe((await offers()).map(toOfferedTool), options.cacheControl),
    losses: async () => lossesOf(await offers()),
    async handle(response, { signal } = {}) {
      const calls = wire.calls(response)
      if (calls.length === 0) return []
      const offered = await offers()
      const envelopes = await Promise.all(calls.map((call) => answer(call, offered, signal)))
      return wire.reply(
        calls.flatMap((call, index) => {
          const envelope = envelopes[index]
          return envelope === undefined
            ? []
            : [{ call, text: modelText(envelope), isError: isErrorFor(call.name, envelope) }]
        }),
      )
    },
  }
}

/**
 * The outcome of a call that is not passed to the runtime, because the response may contain only a
 * part of it.
 */
function failIncompleteCall(call: RequestedCall, why: string): Outcome {
  const message = `This call was not made, and nothing was done: ${why}.`
  return failCall(
    call,
    new ToolError('TOOL_INVALID_INPUT', message, {
      suggestions: ['Make the complete call again if it is still needed.'],
    }),
  )
}

/**
 * The outcome of a call that is not passed to the runtime, because the host's `request` function
 * threw.
 */
function failUnrequestedCall(call: RequestedCall, thrown: unknown): Outcome {
  const { code, message } = toToolError(thrown)
  const suggestions = ['Tell the administrator; repeating the call will fail in the same way.']
  return failCall(
    call,
    new ToolError(code, `This call was not made, and nothing was done. ${message}`, {
      suggestions,
      cause: thrown,
    }),
  )
}

/**
 * The outcome of a call whose answer was lost. The default advice of some error codes says that
 * nothing was done; here that is unknown.
 */
function failUnansweredCall(call: RequestedCall, thrown: unknown): Outcome {
  const { code, message } = toToolError(thrown)
  const suggestions = [
    'Check whether it was done before you call it again, and do not claim that it was or was not done.',
  ]
  return failCall(
    call,
    new ToolError(code, `${message} It is not known whether this call was done.`, {
      suggestions,
      effect: 'possible',
      cause: thrown,
    }),
  )
}

function failCall({ name }: RequestedCall, error: ToolError): Outcome {
  return {
    facts: { ...NO_FACTS, tool: name, title: name },
    status: 'failed',
    error,
    source: 'executed',
    originalCallId: undefined,
  }
}

// There is no call id: the runtime created none, or its answer was lost.
const NO_FACTS: Omit<CallFacts, 'tool' | 'title'> = {
  callId: '',
  category: 'custom',
  schemaVersion: '',
  permissionsUsed: [],
  durationMs: 0,
  validationMs: 0,
  notes: [],
}
