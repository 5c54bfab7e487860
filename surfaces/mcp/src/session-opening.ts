import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import {
  isInitializeRequest,
  LATEST_PROTOCOL_VERSION,
  type McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { isRecord } from '@surehand/core/internal'
import type { FastPathResponse } from '@surehand/edge'
import { openSdkSession } from './sdk-session.ts'

/** The `initialize` of a client of 2025. */
export type Initialize = {
  readonly jsonrpc: '2.0'
  readonly id: string | number
  readonly method: 'initialize'
  readonly params: { readonly protocolVersion: string; readonly [name: string]: unknown }
}

const MESSAGE_FIELDS = new Set(['jsonrpc', 'id', 'method', 'params'])
const PARAMS = new Set(['protocolVersion', 'capabilities', 'clientInfo'])

/** Whether the SDK takes a message for an `initialize`. */
export function isInitialize(message: unknown): message is Pick<Initialize, 'method' | 'params'> {
  // Of any other message the SDK's schema would list every problem first.
  return isRecord(message) && message.method === 'initialize' && isInitializeRequest(message)
}

/**
 * Whether the SDK would neither refuse these headers of a session's request nor take it for one of
 * another revision.
 */
export function areSessionHeaders(headers: IncomingMessage['headers']): boolean {
  const { accept, 'mcp-protocol-version': version } = headers
  return (
    accept?.includes('application/json') === true &&
    accept.includes('text/event-stream') &&
    (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version)))
  )
}

/** An `initialize` as clients send it; undefined for any other, which the SDK judges itself. */
export function readInitialize(message: unknown): Initialize | undefined {
  if (!isInitialize(message)) return undefined
  const { jsonrpc, id, params } = message as Readonly<Record<string, unknown>> & Initialize
  const isUsual =
    jsonrpc === '2.0' &&
    (typeof id === 'string' || Number.isSafeInteger(id)) &&
    Object.keys(message).every((name) => MESSAGE_FIELDS.has(name)) &&
    Object.keys(params).every((name) => PARAMS.has(name))
  return isUsual ? (message as Initialize) : undefined
}

/** Whether a client says no more than that it has got its answer to `initialize`. */
export function isInitialized(message: unknown): message is object {
  return (
    isRecord(message) &&
    message.jsonrpc === '2.0' &&
    message.method === 'notifications/initialized' &&
    Object.keys(message).length === (message.params === undefined ? 2 : 3) &&
    (message.params === undefined ||
      (isRecord(message.params) && Object.keys(message.params).length === 0))
  )
}

/** The answers to `initialize`. */
export type InitializeAnswers = {
  readonly write: (message: Initialize) => Promise<string>
  /** A server that is opened from now on may answer differently. */
  readonly forget: () => void
}

/**
 * Answers `initialize` as a server of the SDK does, which is asked once for each protocol version:
 * its answer depends on nothing else, and opening one takes longer than many calls.
 */
export function createInitializeAnswers(openServer: () => McpServer): InitializeAnswers {
  const results = new Map<string, Promise<string>>()

  function find(version: string): Promise<string> {
    const known = results.get(version)
    if (known !== undefined) return known
    const fresh = askServer(openServer(), version)
    results.set(version, fresh)
    fresh.catch(() => results.delete(version))
    return fresh
  }

  return {
    async write({ id, params: { protocolVersion: asked } }) {
      // A client that asks for a version which is not known here is answered with the latest one.
      const version = SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION
      return `{"result":${await find(version)},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
    },
    forget: () => results.clear(),
  }
}

/** The result with which a server answers an `initialize` of this version, as JSON. */
async function askServer(server: McpServer, protocolVersion: string): Promise<string> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'none', version: '0' } }
  const session = await openSdkSession(server, { id: 'none', onEnded: () => undefined })
  const answer = await session.deliver({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  await server.close()
  const [, message = ''] = /^data: (.*)$/m.exec(answer) ?? []
  return JSON.stringify((JSON.parse(message) as { readonly result: object }).result)
}

/** The response with one event, as the SDK sends it. */
export function eventResponse(sessionId: string, message: string): FastPathResponse {
  const text = `event: message\ndata: ${message}\n\n`
  return {
    status: 200,
    headers: {
      'cache-control': 'no-cache, no-transform',
      'content-type': 'text/event-stream',
      'mcp-session-id': sessionId,
      'x-accel-buffering': 'no',
      'content-length': String(Buffer.byteLength(text)),
    },
    text,
  }
}
