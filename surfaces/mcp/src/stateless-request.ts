import type { IncomingMessage } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { isRecord } from '@surehand/core/internal'
import { readSubscribedTasks } from './listen-to-tasks.ts'

export const REVISION = '2026-07-28'

export type StatelessMethod =
  | 'server/discover'
  | 'tools/list'
  | 'tools/call'
  | 'tasks/get'
  | 'tasks/update'
  | 'tasks/cancel'
  | 'subscriptions/listen'

/** The parameters that every request of the stateless revision carries. */
export type StatelessParams = {
  readonly params: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly capabilities: ClientCapabilities
}

/** A request of the stateless revision for a method that is served without the SDK. */
export type StatelessRequest = StatelessParams & {
  readonly id: string | number
  readonly method: StatelessMethod
}

/** By method, the parameter that the Mcp-Name header repeats. */
const NAMED_BY: Readonly<Record<StatelessMethod, string | undefined>> = {
  'server/discover': undefined,
  'tools/list': undefined,
  'tools/call': 'name',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
  'subscriptions/listen': undefined,
}

/**
 * Reads a valid request; undefined for every other message (without `_meta`, of another revision),
 * which the SDK answers with the right error.
 */
export function readStatelessRequest(message: unknown): StatelessRequest | undefined {
  if (
    !isRecord(message) ||
    message.jsonrpc !== '2.0' ||
    !isId(message.id) ||
    !isStatelessMethod(message.method)
  )
    return undefined
  const { id, method } = message
  const stateless = readStatelessParams(message.params)
  if (stateless === undefined) return undefined
  // Subscriptions to list changes are served by the SDK.
  if (method === 'subscriptions/listen' && readSubscribedTasks(stateless.params) === undefined)
    return undefined
  const named = NAMED_BY[method]
  if (named !== undefined && typeof stateless.params[named] !== 'string') return undefined
  return { id, method, ...stateless }
}

/** The parameters of a message of the stateless revision; undefined for any other message. */
export function readStatelessParams(params: unknown): StatelessParams | undefined {
  const meta = isRecord(params) ? params._meta : undefined
  if (!isRecord(params) || !isRecord(meta) || meta[PROTOCOL_VERSION_META_KEY] !== REVISION)
    return undefined
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY]
  return isRecord(capabilities) ? { params, meta, capabilities } : undefined
}

/**
 * Whether the headers repeat the body correctly; otherwise the SDK answers with the right error.
 */
export function headersMatchBody(
  { method, params }: StatelessRequest,
  headers: IncomingMessage['headers'],
): boolean {
  if (headers['mcp-protocol-version'] !== REVISION || headers['mcp-method'] !== method) return false
  const named = NAMED_BY[method]
  return named === undefined || params[named] === headers['mcp-name']
}

/**
 * The field that the header `Mcp-Name` must repeat, where a request has none. The SDK would refuse
 * it as well, after it has written and parsed the whole message once more: a large one would hold
 * up other requests.
 */
export function findMissingName(
  { method }: StatelessRequest,
  headers: IncomingMessage['headers'],
): string | undefined {
  const isOurs = headers['mcp-protocol-version'] === REVISION && headers['mcp-method'] === method
  return isOurs && (headers['mcp-name'] ?? '') === '' ? NAMED_BY[method] : undefined
}

/** Whether a message subscribes to changes, of tasks or of lists. */
export function isSubscription(message: unknown, headers: IncomingMessage['headers']): boolean {
  const method = 'subscriptions/listen'
  return (
    isRecord(message) &&
    message.jsonrpc === '2.0' &&
    isId(message.id) &&
    message.method === method &&
    headers['mcp-protocol-version'] === REVISION &&
    headers['mcp-method'] === method &&
    readStatelessParams(message.params) !== undefined
  )
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}

function isStatelessMethod(method: unknown): method is StatelessMethod {
  return typeof method === 'string' && Object.hasOwn(NAMED_BY, method)
}
