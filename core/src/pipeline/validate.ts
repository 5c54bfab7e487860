import { Buffer } from 'node:buffer'
import { bytesAsText } from '../call/bytes-as-text.ts'
import type { Caller } from '../call/caller.ts'
import { CanonicalText } from '../call/canonical-text.ts'
import { guardJson, parseJson } from '../call/json.ts'
import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import { invalidInput } from '../define/problems.ts'
import type { Tool } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { settleKey, shortKey, withKeyField, withoutKeyField } from '../ledger/key.ts'
import type { PipelineContext } from './context.ts'
import { callBudgetMs } from './retry.ts'
import type { CallStart } from './stage.ts'

export type ResolvedRequest = {
  readonly start: CallStart
  readonly request: CallRequest
  readonly tool: Tool
}

/** Turns raw input into a call: settles the idempotency key, sets the caller's own fields, parses and hashes the rest. */
export function validate(
  { start, request, tool }: ResolvedRequest,
  context: PipelineContext,
): Call {
  const raw = readInput(request, tool)
  const own = withCallerFields(
    request.writtenBy === 'model' ? withoutKeyField(raw, tool) : raw,
    tool,
    request.caller,
  )
  const early = settleKey({ tool, request, callId: start.callId, given: own })
  const parsed = tool.input.parse(withKeyField(own, tool, early.key))
  if (!parsed.ok) throw invalidInput(tool, parsed.problems)
  const canonical = tool.input.write(parsed.value)
  if (
    canonical.length * 3 > tool.contract.maxInputBytes &&
    Buffer.byteLength(canonical) > tool.contract.maxInputBytes
  )
    throw tooLarge(tool)
  const settled =
    early.source === 'derived' ? { ...early, key: deriveKey(tool, parsed.value) } : early
  return {
    id: start.callId,
    tool,
    namedId: context.registryOf(request.caller.tenant).find(request.tool)?.id ?? tool.id,
    caller: request.caller,
    surface: request.surface,
    requestId: request.requestId ?? start.callId,
    input:
      early === settled
        ? parsed.value
        : withKeyField(parsed.value as Record<string, unknown>, tool, settled.key),
    meaning: new CanonicalText(canonical),
    key: settled.key,
    keySource: settled.source,
    startedAt: start.startedAt,
    startedTicks: start.startedTicks,
    validationMs: context.clock.ticks() - start.startedTicks,
    deadlineTicks:
      start.startedTicks +
      Math.min(callBudgetMs(tool.contract), request.withinMs ?? Number.POSITIVE_INFINITY),
    signal: request.signal,
    whenRunning: request.whenRunning ?? 'answer',
    repeat: request.repeat ?? 'refuse',
    onProgress: request.onProgress,
    notify: request.resumes?.notify ?? request.notify,
    resumes: request.resumes,
    parentId: request.resumes?.parentId ?? request.step?.parentId,
    isShutOut: request.isShutOut ?? false,
    adminVersion: start.adminVersion,
    isCounted: start.isCounted,
  }
}

function readInput(
  request: CallRequest,
  { contract: { maxInputBytes: maxBytes }, bytesFields }: Tool,
): Record<string, unknown> {
  const value =
    request.json === undefined
      ? bytesAsText(request.input ?? {}, bytesFields)
      : parseJson(request.json, maxBytes)
  if (request.json === undefined) guardJson(value, maxBytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const error = 'expected an object with named fields'
    throw new ToolError('TOOL_INVALID_INPUT', 'The input must be an object.', {
      details: { validation_errors: [{ field: '', error, provided_value: null }] },
    })
  }
  return value as Record<string, unknown>
}

// These fields come from the caller's identity, whatever the model wrote there.
function withCallerFields(
  raw: Record<string, unknown>,
  tool: Tool,
  caller: Caller,
): Record<string, unknown> {
  if (tool.fromCaller.size === 0) return raw
  const own = { ...raw }
  for (const [field, source] of tool.fromCaller) own[field] = caller[source]
  return own
}

function deriveKey(tool: Tool, input: unknown): string {
  const { idempotency } = tool.contract
  return typeof idempotency === 'function' ? shortKey(idempotency(input)) : ''
}

function tooLarge(tool: Tool): ToolError {
  return new ToolError(
    'TOOL_INPUT_TOO_LARGE',
    `${tool.id} takes at most ${tool.contract.maxInputBytes} bytes of input.`,
    {
      details: { max_bytes: tool.contract.maxInputBytes },
    },
  )
}
