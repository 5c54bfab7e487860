import { type Caller, type CallRequest, isToolError, type Runtime, type Tool } from '@surehand/core'
import { parseJson, wireName } from '@surehand/core/host'
import type { Offer } from './offer.ts'
import type { FunctionCallingOptions } from './options.ts'
import type { CompleteCall } from './providers/wire.ts'

export type RequestContext = ToolLookup & {
  readonly options: FunctionCallingOptions
  readonly signal: AbortSignal | undefined
}

/**
 * Builds the runtime's request for a model's call. The caller comes from the host; nothing in a
 * response changes it.
 */
export function toCallRequest(
  call: CompleteCall,
  context: RequestContext,
): Omit<CallRequest, 'resumes'> {
  const { caller, options, signal } = context
  const { tool, offer } = resolveTool(call.name, context)
  const given = readInput(call, offer)
  const toolCallId = call.id ?? ''
  const callOptions =
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
    ...callOptions,
  }
}

type CallInput = Pick<CallRequest, 'input'> & { readonly json?: string }

// If the dialect changed nothing, the text is passed on as it is, and the runtime reports what is
// wrong with it.
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

// A missing input becomes an empty object in the runtime. A null that the model sent is not an
// object and must be refused.
function toInput(value: unknown): CallInput {
  return value === null || value === undefined
    ? { input: undefined, json: 'null' }
    : { input: value }
}

const MAX_DEPTH = 64

// The runtime refuses deeply nested values; restoring one before that would overflow the stack.
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

type ToolLookup = {
  readonly runtime: Pick<Runtime, 'tools'>
  readonly caller: Caller
  readonly offers: readonly Offer[]
}

/**
 * The tool that a name refers to. `offer` is set only if its schema is the one that applies to the
 * model's input.
 */
type ResolvedTool = { readonly tool: Tool | undefined; readonly offer: Offer | undefined }

/**
 * Finds a tool by every name that the registry accepts (aliases and versions included): otherwise a
 * call could run without the host's `request` being called. For an older version the host is given
 * the newest tool, which is the only one it has.
 */
function resolveTool(name: string, { runtime, caller, offers }: ToolLookup): ResolvedTool {
  const offered = offers.find((offer) => offer.name === name)
  if (offered !== undefined) return { tool: offered.tool, offer: offered }
  const known = [...runtime.tools(), ...runtime.tools(caller.tenant)]
  const plain = known.find((tool) => hasName(tool, name))
  if (plain !== undefined) return withOffer(plain, offers)
  const at = name.lastIndexOf('@')
  const versioned = at < 0 ? undefined : known.find((tool) => hasName(tool, name.slice(0, at)))
  if (versioned === undefined) return { tool: undefined, offer: undefined }
  const isNewest = `${versioned.version}.`.startsWith(`${name.slice(at + 1)}.`)
  return isNewest ? withOffer(versioned, offers) : { tool: versioned, offer: undefined }
}

function hasName({ id, aliases }: Tool, name: string): boolean {
  return id === name || wireName(id) === name || aliases.includes(name)
}

function withOffer(tool: Tool, offers: readonly Offer[]): ResolvedTool {
  const offer = offers.find((one) => one.tool.id === tool.id)
  return { tool: offer?.tool ?? tool, offer }
}
