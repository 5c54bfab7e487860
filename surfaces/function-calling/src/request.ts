import { type CallRequest, isToolError } from '@surehand/core'
import { parseJson } from '@surehand/core/host'
import { type ToolLookup, resolveTool } from './resolve-tool.ts'
import type { Offer } from './offer.ts'
import type { FunctionCallingOptions } from './options.ts'
import type { CompleteCall } from './providers/wire.ts'

export type RequestContext = ToolLookup & {
  readonly options: FunctionCallingOptions
  readonly signal: AbortSignal | undefined
}

/** A model's call as the runtime takes it. Who calls is the host's word alone: nothing in a response changes it. */
export function toCallRequest(
  call: CompleteCall,
  requesting: RequestContext,
): Omit<CallRequest, 'resumes'> {
  const { caller, options, signal } = requesting
  const { tool, offer } = resolveTool(call.name, requesting)
  const given = readInput(call, offer)
  const toolCallId = call.id ?? ''
  const beside =
    tool === undefined
      ? {}
      : options.request?.({ tool, input: given.json ?? given.input, toolCallId })
  const { onProgress } = options
  return {
    tool: call.name,
    ...given,
    caller,
    surface: 'function-calling',
    ...(options.run === undefined || call.id === undefined
      ? {}
      : { hostCall: { run: options.run, toolCall: call.id } }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined
      ? {}
      : { onProgress: (progress) => onProgress(progress, toolCallId) }),
    ...beside,
  }
}

type CallInput = Pick<CallRequest, 'input'> & { readonly json?: string }

// a text goes on as it came wherever the dialect changed nothing: the runtime alone says what is wrong with it
function readInput({ arguments: given }: CompleteCall, offer: Offer | undefined): CallInput {
  if (!('text' in given))
    return toInput(
      offer === undefined || isTooDeep(given.value)
        ? given.value
        : offer.compiled.restore(given.value),
    )
  if (offer === undefined || offer.compiled.isSame) return { input: undefined, json: given.text }
  try {
    const value = parseJson(given.text, offer.tool.contract.maxInputBytes)
    return toInput(offer.compiled.restore(value))
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    return { input: undefined, json: given.text }
  }
}

// a call without an input has an empty one; a null that was sent is no object, and must not run as one
function toInput(value: unknown): CallInput {
  return value === null || value === undefined
    ? { input: undefined, json: 'null' }
    : { input: value }
}

const MAX_DEPTH = 64

// the runtime refuses it without falling over, and so must whoever looks at it before
function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
    if (level.length === 0) return false
  }
  return true
}
