import { Buffer } from 'node:buffer'
import type { KeySource } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import { type CanonicalText, sha256, uuidOf } from '../call/canonical.ts'
import { guardJson, parseJson } from '../call/json.ts'
import type { CallRequest } from '../call/request.ts'
import { scopedKey } from '../call/scope.ts'
import { ToolError } from '../call/tool-error.ts'
import { callBudgetMs } from '../define/normal.ts'
import { invalidInput } from '../define/problems.ts'
import type { Tool } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import type { CallStart, PipelineContext } from './context.ts'

export type ResolvedRequest = {
  readonly start: CallStart
  readonly request: CallRequest
  readonly tool: Tool
}

/**
 * Turns raw input into a call: settles the idempotency key, sets the caller's own fields, parses
 * and hashes the rest.
 */
export function validate(resolved: ResolvedRequest, context: PipelineContext): Call {
  const { request, tool } = resolved
  const settled = settleInput(requireObject(readInput(request, tool)), resolved)
  const parsed = tool.input.parse(settled.input)
  if (!parsed.ok) throw invalidInput(tool, parsed.problems)
  const canonical = tool.input.write(parsed.value)
  return toCall({ key: settled.key, value: parsed.value, canonical }, resolved, context)
}

type SettledInput = { readonly key: SettledKey; readonly input: Record<string, unknown> }

/** The input with the caller's own fields and its key, before it is parsed. */
export function settleInput(
  raw: Record<string, unknown>,
  { start, request, tool }: ResolvedRequest,
): SettledInput {
  const given = withCallerFields(
    request.writtenBy === 'model' ? withoutKeyField(raw, tool) : raw,
    tool,
    request.caller,
  )
  const key = settleKey({ tool, request, callId: start.callId, given })
  return { key, input: withKeyField(given, tool, key.key) }
}

type ValidInput = {
  readonly key: SettledKey
  readonly value: unknown
  readonly canonical: CanonicalText
}

/** The call of an input that fits its schema. */
export function toCall(
  { key: early, value, canonical }: ValidInput,
  { start, request, tool }: ResolvedRequest,
  context: PipelineContext,
): Call {
  if (canonical.isLongerThan(tool.contract.maxInputBytes)) throw tooLarge(tool)
  const settled = early.source === 'derived' ? { ...early, key: deriveKey(tool, value) } : early
  return {
    id: start.callId,
    tool,
    requestedToolId: context.registryOf(request.caller.tenant).find(request.tool)?.id ?? tool.id,
    caller: request.caller,
    surface: request.surface,
    requestId: tool.requestId?.(value) ?? request.requestId ?? start.callId,
    input:
      early === settled ? value : withKeyField(value as Record<string, unknown>, tool, settled.key),
    canonicalInput: canonical,
    key: settled.key,
    keySource: settled.source,
    startedAt: start.startedAt,
    startedTicks: start.startedTicks,
    validationMs: context.clock.ticks() - start.startedTicks,
    deadlineTicks:
      start.startedTicks +
      Math.min(callBudgetMs(tool.contract), request.withinMs ?? Number.POSITIVE_INFINITY),
    retries: Math.min(tool.contract.retries, request.step?.retries ?? tool.contract.retries),
    signal: request.signal,
    pace: request.pace,
    whenRunning: request.whenRunning ?? 'answer',
    repeat: request.repeat ?? 'refuse',
    onProgress: request.onProgress,
    notify: request.resumes?.notify ?? request.notify,
    resumes: request.resumes,
    parentId: request.resumes?.parentId ?? request.step?.parentId,
    isRevoked: request.isRevoked ?? false,
    adminVersion: start.adminVersion,
    hasUsedQuota: start.hasUsedQuota,
    timeline: start.timeline,
  }
}

/**
 * The call with its input parsed anew, for another attempt: the one before may have changed the
 * object that it was given.
 */
export function withFreshInput(call: Call): Call {
  const { tool, canonicalInput, key } = call
  const parsed = tool.input.parse(
    withKeyField(JSON.parse(canonicalInput.text) as Record<string, unknown>, tool, key),
  )
  if (!parsed.ok) throw invalidInput(tool, parsed.problems)
  return { ...call, input: parsed.value }
}

function readInput(request: CallRequest, tool: Tool): unknown {
  const { maxInputBytes } = tool.contract
  const json = request.longJson?.toString() ?? request.json
  if (json !== undefined) return parseJson(json, maxInputBytes)
  const value = toJsonInput(request, tool)
  guardJson(value, maxInputBytes)
  return value
}

/** An input that was given as a value: none is an object without fields, bytes become text. */
export function toJsonInput({ input }: CallRequest, { bytesFields }: Tool): unknown {
  return bytesAsText(input ?? {}, bytesFields)
}

export function requireObject(value: unknown): Record<string, unknown> {
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
  for (const [field, source] of tool.fromCaller)
    own[field] = source === 'session' ? sessionOf(caller) : caller[source]
  return own
}

// Documents demand session ids of at least this length.
const MIN_SESSION_CHARACTERS = 6

/**
 * The session of a caller. The command line and stateless clients have none, and a host's may be too
 * short: then it is derived, and is the same for all their calls.
 */
function sessionOf({ session = '', tenant, principal, actor }: Caller): string {
  if (session.length >= MIN_SESSION_CHARACTERS) return session
  return `derived-${sha256(scopedKey(tenant, principal, actor, session)).slice(0, 24)}`
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

type SettledKey = { readonly key: string; readonly source: KeySource }

type Unsettled = {
  readonly tool: Tool
  readonly request: CallRequest
  readonly callId: string
  readonly given: Readonly<Record<string, unknown>>
}

const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/**
 * Settles the idempotency key, which makes two calls the same one: the caller's key, the key
 * derived from the input, the host's run with its tool call, or this call's own id. A key that a
 * model wrote into its input is ignored.
 */
export function settleKey({ tool, request, callId, given }: Unsettled): SettledKey {
  if (request.resumes !== undefined)
    return { key: request.resumes.key, source: request.resumes.keySource }
  if (request.step !== undefined)
    return { key: shortKey(scopedKey(request.step.parentId, request.step.path)), source: 'step' }
  if (!tool.contract.isWrite) return { key: callId, source: 'fresh' }
  const field = tool.keyField === undefined ? undefined : given[tool.keyField]
  if (request.idempotencyKey !== undefined) {
    if (field !== undefined && field !== request.idempotencyKey)
      throw invalidKeyError(
        tool,
        'The idempotency key of the call and the one in its input differ.',
      )
    return { key: requirePrintable(tool, request.idempotencyKey), source: 'caller' }
  }
  if (field !== undefined && typeof field !== 'string')
    throw invalidKeyError(tool, 'An idempotency key must be a string.')
  if (field !== undefined) return { key: requirePrintable(tool, field), source: 'caller' }
  if (typeof tool.contract.idempotency === 'function') return { key: callId, source: 'derived' }
  if (request.hostCall !== undefined)
    return {
      key: shortKey(scopedKey(request.hostCall.run, request.hostCall.toolCall)),
      source: 'host',
    }
  return { key: callId, source: 'fresh' }
}

/** A key as it is stored: short and printable, hashed where it is not. */
function shortKey(plain: string): string {
  return PRINTABLE.test(plain) ? plain : `sha256:${sha256(plain)}`
}

/** The input without its key field, for inputs that a model wrote. */
function withoutKeyField(
  input: Record<string, unknown>,
  { keyField }: Pick<Tool, 'keyField'>,
): Record<string, unknown> {
  if (keyField === undefined || !Object.hasOwn(input, keyField)) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== keyField))
}

/** Fills the input's key field, as a UUID where the schema requires one. */
export function withKeyField(
  input: Record<string, unknown>,
  tool: Tool,
  key: string,
): Record<string, unknown> {
  const { keyField } = tool
  if (keyField === undefined || input[keyField] === key) return input
  return {
    ...input,
    [keyField]: demandsUuid(tool, keyField) && !UUID.test(key) ? uuidOf(key) : key,
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function demandsUuid(tool: Tool, keyField: string): boolean {
  const { properties } = tool.input.toJson('input') as {
    readonly properties?: Readonly<Record<string, { readonly format?: string }>>
  }
  return properties?.[keyField]?.format === 'uuid'
}

function requirePrintable(tool: Tool, key: string): string {
  if (PRINTABLE.test(key)) return key
  throw invalidKeyError(tool, 'An idempotency key must be 1 to 255 printable ASCII characters.')
}

function invalidKeyError(tool: Tool, message: string): ToolError {
  return new ToolError('TOOL_INVALID_INPUT', message, {
    details: {
      validation_errors: [
        { field: tool.keyField ?? 'idempotencyKey', error: message, provided_value: null },
      ],
    },
    suggestions: ['Send one idempotency key, and the same one whenever you repeat the call.'],
  })
}

/** JSON has no bytes: in process they may be handed in for the fields that take base64. */
export function bytesAsText(input: unknown, fields: ReadonlySet<string>): unknown {
  if (fields.size === 0 || typeof input !== 'object' || input === null) return input
  const given = Object.entries(input)
  return given.some(([name, value]) => isBytesFor(name, value, fields))
    ? Object.fromEntries(
        given.map(([name, value]) => [
          name,
          isBytesFor(name, value, fields) ? base64(value as Uint8Array) : value,
        ]),
      )
    : input
}

function isBytesFor(name: string, value: unknown, fields: ReadonlySet<string>): boolean {
  return value instanceof Uint8Array && fields.has(name)
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
