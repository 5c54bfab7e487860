import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Caller } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import type { Surface } from './options.ts'
import { sdkServer } from './sdk-server.ts'
import { REVISION, readStatelessParams } from './stateless-request.ts'

/** A connection to a server of the SDK, for the methods that are not served without it. */
export type SdkConnection = {
  readonly deliver: (message: JSONRPCMessage) => void
  /**
   * A request of the stateless revision was answered without the SDK, so the client is not one of
   * 2025.
   */
  readonly chooseModern: () => void
  /** Whether the client is one of 2025. */
  readonly isLegacy: () => boolean
  readonly toolsChanged: () => void
  readonly close: () => Promise<void>
}

// This notification cancels nothing and gets no answer; from it the SDK learns which revision the
// client has chosen.
const OPENING: JSONRPCNotification = {
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: {
    requestId: 'none',
    _meta: { [PROTOCOL_VERSION_META_KEY]: REVISION, [CLIENT_CAPABILITIES_META_KEY]: {} },
  },
}

export function openSdkConnection(
  surface: Surface,
  caller: Caller,
  send: (message: JSONRPCMessage) => void,
): SdkConnection {
  let era: 'open' | 'chosen' | 'modern' | 'legacy' = 'open'
  let server: McpServer | undefined
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => send(message),
    close: async () => transport.onclose?.(),
  }
  const serving = serveStdio(
    (context) => {
      server = sdkServer(surface, context.era, () => caller)
      return server
    },
    { transport },
  )
  return {
    deliver(message) {
      if (era === 'chosen') transport.onmessage?.(OPENING)
      era = era === 'open' ? eraOf(message) : era === 'chosen' ? 'modern' : era
      transport.onmessage?.(message)
    },
    chooseModern() {
      if (era === 'open') era = 'chosen'
    },
    isLegacy: () => era === 'legacy',
    toolsChanged() {
      server?.sendToolListChanged()
      server?.sendResourceListChanged()
    },
    close: () => serving.close(),
  }
}

// As the SDK judges a first message: an unknown revision leaves the choice open.
function eraOf(message: JSONRPCMessage): 'open' | 'modern' | 'legacy' {
  if (!('method' in message)) return 'open'
  const { params } = message
  if (readStatelessParams(params) !== undefined) return 'modern'
  const meta = isRecord(params) ? params._meta : undefined
  return isRecord(meta) && Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY) ? 'open' : 'legacy'
}
