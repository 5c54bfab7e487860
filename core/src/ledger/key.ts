import type { KeySource } from '../call/call-row.ts'
import { sha256, uuidOf } from '../call/hash.ts'
import type { CallRequest } from '../call/request.ts'
import { scoped } from '../call/scope.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'

export type SettledKey = { readonly key: string; readonly source: KeySource }

type Unsettled = {
  readonly tool: Tool
  readonly request: CallRequest
  readonly callId: string
  readonly given: Readonly<Record<string, unknown>>
}

const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/**
 * Decides what makes two calls the same one: the caller's key, the input's natural identity, the host's run with its tool call,
 * or, when nobody has a stable one, this call's own id. A model never invents it.
 */
export function settleKey({ tool, request, callId, given }: Unsettled): SettledKey {
  if (request.resumes !== undefined)
    return { key: request.resumes.key, source: request.resumes.keySource }
  if (request.step !== undefined)
    return { key: shortKey(scoped(request.step.parentId, request.step.path)), source: 'step' }
  if (!tool.contract.isWrite) return { key: callId, source: 'fresh' }
  const field = tool.keyField === undefined ? undefined : given[tool.keyField]
  if (request.idempotencyKey !== undefined) {
    if (field !== undefined && field !== request.idempotencyKey)
      throw refused(tool, 'The key beside the call and the key in its input differ.')
    return { key: printable(tool, request.idempotencyKey), source: 'caller' }
  }
  if (field !== undefined && typeof field !== 'string')
    throw refused(tool, 'An idempotency key is a text.')
  if (field !== undefined) return { key: printable(tool, field), source: 'caller' }
  if (typeof tool.contract.idempotency === 'function') return { key: callId, source: 'derived' }
  if (request.hostCall !== undefined)
    return {
      key: shortKey(scoped(request.hostCall.run, request.hostCall.toolCall)),
      source: 'host',
    }
  return { key: callId, source: 'fresh' }
}

/** Whatever a host or a contract makes a key of, it is short and printable. */
export function shortKey(plain: string): string {
  return PRINTABLE.test(plain) ? plain : `sha256:${sha256(plain)}`
}

/** The input without its key field: what a model writes there it made up. */
export function withoutKeyField(
  input: Record<string, unknown>,
  { keyField }: Pick<Tool, 'keyField'>,
): Record<string, unknown> {
  if (keyField === undefined || !Object.hasOwn(input, keyField)) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== keyField))
}

/** Fills the input's key field, as a UUID where the schema demands one. */
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

function printable(tool: Tool, key: string): string {
  if (PRINTABLE.test(key)) return key
  throw refused(tool, 'An idempotency key is 1 to 255 printable ASCII characters.')
}

function refused(tool: Tool, message: string): ToolError {
  return new ToolError('TOOL_INVALID_INPUT', message, {
    details: {
      validation_errors: [
        { field: tool.keyField ?? 'idempotencyKey', error: message, provided_value: null },
      ],
    },
    suggestions: ['Send one idempotency key, the same each time the same thing is meant.'],
  })
}
