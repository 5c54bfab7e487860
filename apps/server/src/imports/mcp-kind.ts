import { ToolError } from '@surehand/core'
import type { ForeignCall } from '@surehand/core/host'
import { sha256 } from '@surehand/core/internal'
import { type Clock, sleep } from '@surehand/core/ports'
import { fetchThrough } from '@surehand/egress'
import { systemCaller } from '@surehand/identity'
import type { Opening, SourceKind } from '@surehand/imports'
import {
  type ForeignListing,
  type Mount,
  mountedTools,
  mountMcp,
  mountPool,
  type Overlay,
  type ServerAddress,
} from '@surehand/mounted-mcp'
import { z } from 'zod'
import type { McpServers } from '../config/mcp-servers.ts'
import { importCall, type OutboundContext } from './create-send.ts'
import { isWithoutName, readForm } from './read-form.ts'

type Asking = { readonly call: ForeignCall; readonly credential: string | undefined }

const SCHEME = 'server'
const MOST_BYTES = 32 * 1_048_576
// A server that announces changes keeps its response open.
const LONGEST_ANSWER_MS = 24 * 60 * 60_000

/**
 * A `fetch` for the MCP client: through egress, with the tenant's credential; bodies are streamed.
 */
function egressFetch(
  { egress, vault }: OutboundContext,
  { call, credential }: Asking,
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal
    const request = {
      method: init.method ?? 'GET',
      url: String(input instanceof Request ? input.url : input),
      headers: Object.fromEntries(new Headers(init.headers)),
      security:
        credential === undefined
          ? []
          : [[{ scheme: SCHEME, scopes: [], type: 'http', http: 'bearer' } as const]],
      maxBytes: MOST_BYTES,
    }
    const references = credential === undefined ? {} : { [SCHEME]: credential }
    const secured = await vault.applySecurity(request, call, { references, signal })
    const send = fetchThrough(egress, {
      tenant: call.caller.tenant,
      credentialHeaders: secured.credentialHeaders,
      credentialQuery: secured.credentialQuery,
      maxBytes: MOST_BYTES,
      limits: { totalMs: LONGEST_ANSWER_MS },
    })
    const answer = await send(secured.request.url, {
      ...init,
      headers: secured.request.headers,
      signal,
    })
    if (answer.status === 401) await secured.reportRejected()
    return answer
  }
}

/**
 * A server by its address, or by its name in the configuration (`mcpServers`): only the
 * configuration decides which programs run here.
 */
const From = z.union([
  z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .refine(isWithoutName, 'contains a user name or password: store those as a credential'),
  }),
  z.strictObject({ server: z.string().min(1).max(64) }),
])
type From = z.infer<typeof From>

const Settings = z.strictObject({
  /** Overrides by the tools' names on their server. */
  overlay: z.record(z.string(), z.record(z.string(), z.json())).exactOptional(),
  credential: z.string().min(1).max(96).exactOptional(),
})
type Settings = z.infer<typeof Settings>

export type McpKindParts = OutboundContext & {
  readonly clock: Clock
  /** The commands that may be mounted, by name. */
  readonly servers: McpServers
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly onTrouble: (thrown: unknown) => void
}

const IDLE_MS = 10 * 60_000
const MOST_SERVERS = 32

/**
 * Mounted MCP servers. The tool listing is stored as the document, so that all nodes use the same
 * one.
 */
export function mcpKind(parts: McpKindParts): SourceKind {
  return {
    kind: 'mcp',
    generator: '1',
    readFrom: (from) => readForm(From, from, 'the place of an MCP server'),
    readSettings: (written) => readForm(Settings, written ?? {}, "a mount's settings"),
    prepare(document, { name }) {
      const { tools, refused } = JSON.parse(document) as ForeignListing
      return {
        prepared: Buffer.from(document),
        report: {
          operations: tools.length + refused.length,
          taken: tools.map((tool) => `${name}.${tool.name}`),
          leftOut: refused.map((one) => ({ operation: one.name, reason: one.reason })),
          losses: [],
          tokens: Math.ceil(document.length / BYTES_PER_TOKEN),
        },
      }
    },
    open(prepared, opening) {
      const listing = JSON.parse(Buffer.from(prepared).toString()) as ForeignListing
      const { overlay } = opening.settings as Settings
      const { tools } = mountedTools(listing, {
        name: opening.name,
        port: opening.port,
        schemas: opening.schemas,
        // the source checks each entry of the overlay itself
        ...(overlay === undefined ? {} : { overlay: overlay as Overlay }),
      })
      const pool = mountPool({
        mount: () =>
          mountFor(opening, parts, {
            listing,
            onChange: (changed) => opening.onDocument(documentOf(changed)),
          }),
        credentialOf: () => (opening.settings as Settings).credential ?? '',
        clock: parts.clock,
        idleMs: IDLE_MS,
        max: MOST_SERVERS,
      })
      return { tools, source: pool.source, close: pool.close }
    },
    async fetch(from, fetching) {
      const mount = mountFor({ ...fetching, from }, parts, {})
      try {
        return documentOf(await mount.tools(fetching.signal))
      } finally {
        await mount.close()
      }
    },
    follow(from, fetching, onDocument) {
      const over = new AbortController()
      const signal = AbortSignal.any([fetching.signal, over.signal])
      let last = ''
      const publish = (listing: ForeignListing): void => {
        const document = documentOf(listing)
        if (sha256(document) === last) return
        last = sha256(document)
        onDocument(document)
      }
      const mount = mountFor({ ...fetching, from }, parts, { onChange: publish })
      // The listing may have changed while there was no connection, and not every server announces
      // changes.
      const polling = pollListing(async () => publish(await mount.tools(signal)), parts, signal)
      return async () => {
        // Without it, the poll would sleep on until the whole watcher ends, and the caller of
        // `stop` would wait as long.
        over.abort()
        await mount.close()
        await polling
      }
    },
  }
}

// An estimate for JSON.
const BYTES_PER_TOKEN = 4
const LOOK_EVERY_MS = 30_000

async function pollListing(
  look: () => Promise<void>,
  { clock, onTrouble }: McpKindParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await look().catch((thrown: unknown) => (signal.aborted ? undefined : onTrouble(thrown)))
    await sleep(clock, LOOK_EVERY_MS, signal).catch(() => undefined)
  }
}

function documentOf(listing: ForeignListing): string {
  return JSON.stringify(listing)
}

type Mounting = Pick<Opening, 'tenant' | 'name' | 'settings' | 'from'>
type Listening = {
  readonly listing?: ForeignListing
  readonly onChange?: (listing: ForeignListing) => void | Promise<void>
}

function mountFor(
  { tenant, name, settings, from }: Mounting,
  parts: McpKindParts,
  listening: Listening,
): Mount {
  const { credential, overlay = {} } = settings as Settings
  return mountMcp({
    name,
    transport: addressOf(from as From, tenant, parts),
    fetch: egressFetch(parts, { call: importCall(name, systemCaller(tenant)), credential }),
    environment: parts.environment,
    clock: parts.clock,
    hide: (text) => parts.vault.scrubber(tenant).text(text),
    failsWithoutEffect: (tool) =>
      Object.hasOwn(overlay, tool) && overlay[tool]?.failsWithoutEffect === true,
    ...listening,
  })
}

function addressOf(from: From, tenant: string, { servers }: McpKindParts): ServerAddress {
  if ('url' in from) return { kind: 'http', url: from.url }
  const server = Object.hasOwn(servers, from.server) ? servers[from.server] : undefined
  // A server for other tenants looks like a missing one.
  if (server?.tenants.includes(tenant)) return server.address
  throw new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `There is no server "${from.server}" in the configuration (mcpServers).`,
  )
}
