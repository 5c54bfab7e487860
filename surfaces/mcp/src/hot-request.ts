import type { IncomingMessage } from 'node:http'
import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import { isRecord } from './request.ts'

export const REVISION = '2026-07-28'

export type HotMethod = 'server/discover' | 'tools/list' | 'tools/call' | 'tasks/get' | 'tasks/update' | 'tasks/cancel'

/** A request of the stateless revision for one of the methods that have their own path. */
export type HotRequest = {
  readonly id: string | number
  readonly method: HotMethod
  readonly params: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly capabilities: ClientCapabilities
}

/** By method: the parameter that the Mcp-Name header repeats. */
const NAMED_BY: Readonly<Record<HotMethod, string | undefined>> = {
  'server/discover': undefined,
  'tools/list': undefined,
  'tools/call': 'name',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/**
 * Recognises a request that is in order in every respect. Whatever is not (a header that disagrees with the body, a missing `_meta`,
 * another revision) is left to the SDK, which knows the right refusal for each.
 */
export function readHot(body: unknown, headers: IncomingMessage['headers']): HotRequest | undefined {
  if (!isRecord(body) || body.jsonrpc !== '2.0' || !isId(body.id) || !isHotMethod(body.method)) return undefined
  const { id, method, params } = body
  const meta = isRecord(params) ? params._meta : undefined
  if (!isRecord(params) || !isRecord(meta)) return undefined
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY]
  if (meta[PROTOCOL_VERSION_META_KEY] !== REVISION || !isRecord(capabilities)) return undefined
  if (headers['mcp-protocol-version'] !== REVISION || headers['mcp-method'] !== method) return undefined
  const named = NAMED_BY[method]
  if (named !== undefined && (typeof params[named] !== 'string' || params[named] !== headers['mcp-name'])) return undefined
  return { id, method, params, meta, capabilities }
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}

function isHotMethod(method: unknown): method is HotMethod {
  return typeof method === 'string' && Object.hasOwn(NAMED_BY, method)
}
