import { type Caller, type Envelope, type Outcome, type Runtime, toEnvelope } from '@surehand/core'
import { callForModel, HOST_WAIT_MS, modelText } from '@surehand/core/host'
import { systemClock } from '@surehand/core/ports'
import { failUnansweredCall, failIncompleteCall, failUnrequestedCall } from './failed-calls.ts'
import { lossesOf, type Offer, compileOffers, type ToolLoss, toOfferedTool } from './offer.ts'
import type { FunctionCallingOptions } from './options.ts'
import type { ProviderName, RequestedCall } from './providers/wire.ts'
import { type MessageOf, type ToolsOf, wireOf } from './providers/wires.ts'
import { toCallRequest } from './request.ts'

/** A runtime's tools for one caller, in one vendor's words. */
export type FunctionCalling<P extends ProviderName> = {
  /** What the caller may use now, as the request's `tools`. */
  readonly tools: () => Promise<ToolsOf[P]>
  /** What the vendor's dialect can't say about them; the runtime checks it all the same. */
  readonly losses: () => Promise<readonly ToolLoss[]>
  /**
   * Makes the calls of a model's response, side by side, and answers what to add to the conversation after it, in the calls' order;
   * nothing where the model called nothing. The calls of a response that was cut off or held back are not made, and told as such. With a `run`, a response that is delivered twice does its writes once.
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
  const patience = { waitMs: options.waitMs ?? HOST_WAIT_MS, clock: options.clock ?? systemClock() }

  async function offers(): Promise<readonly Offer[]> {
    return compileOffers(await runtime.visibleTools(caller), {
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
    // nothing that breaks for one call, the host's own functions included, may take the answers of its neighbours: theirs are done
    const envelope = await outcomeOf(call, offered, signal)
      .then((outcome) => toEnvelope(outcome, pages))
      .catch((thrown: unknown) => toEnvelope(failUnansweredCall(call, thrown)))
    try {
      options.onEnvelope?.(envelope, call.id ?? '')
    } catch {
      // whoever only listens can't make undone what the model is to be told
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
    const requesting = { runtime, caller, options, offers: offered, signal }
    let request: ReturnType<typeof toCallRequest>
    try {
      request = toCallRequest({ ...call, arguments: given }, requesting)
    } catch (thrown) {
      return failUnrequestedCall(call, thrown)
    }
    return callForModel(runtime, request, patience)
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
            : [{ call, text: modelText(envelope), isError: envelope.error !== undefined }]
        }),
      )
    },
  }
}
