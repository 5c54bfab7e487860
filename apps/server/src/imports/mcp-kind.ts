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
  type MountOptions,
  mountedTools,
  mountMcp,
  mountPool,
  type Overlay,
} from '@surehand/mounted-mcp'
import type { SecurityNeed } from '@surehand/vault'
import { z } from 'zod'
import type { McpServers } from '../config/mcp-servers.ts'
import { importCall, type OutboundContext, sourceOf } from './create-send.ts'
import { isWithoutName, readForm } from './read-form.ts'

type Asking = { readonly call: ForeignCall; readonly settings: Settings }

const SCHEME = 'server'
const MOST_BYTES = 32 * 1_048_576
// A server that announces changes keeps its response open.
const LONGEST_ANSWER_MS = 24 * 60 * 60_000

/**
 * A `fetch` for the MCP client: through egress, with the tenant's credential; bodies are streamed.
 */
function egressFetch(
  { egress, vault, onSendFailure }: OutboundContext,
  { call, settings }: Asking,
): typeof globalThis.fetch {
  const { needs, references, plain } = readSecurity(settings)
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal
    const request = {
      method: init.method ?? 'GET',
      url: String(input instanceof Request ? input.url : input),
      // Those of the protocol are never replaced.
      headers: { ...plain, ...Object.fromEntries(new Headers(init.headers)) },
      security: needs.length === 0 ? [] : [needs],
      maxBytes: MOST_BYTES,
    }
    const secured = await vault.applySecurity(request, call, { references, signal })
    const send = fetchThrough(egress, {
      tenant: call.caller.tenant,
      credentialHeaders: secured.credentialHeaders,
      credentialQuery: secured.credentialQuery,
      maxBytes: MOST_BYTES,
      limits: { totalMs: LONGEST_ANSWER_MS },
    })
    const sent = send(secured.request.url, { ...init, headers: secured.request.headers, signal })
    sent.catch((thrown: unknown) => onSendFailure(sourceOf(call), thrown))
    const answer = await sent
    if (answer.status === 401) await secured.reportRejected()
    return answer
  }
}

type Security = {
  readonly needs: readonly SecurityNeed[]
  readonly references: Readonly<Record<string, string>>
  readonly plain: Readonly<Record<string, string>>
}

function readSecurity({ credential, headers = {}, query = {} }: Settings): Security {
  const needs: SecurityNeed[] = []
  const references: Record<string, string> = {}
  const plain: Record<string, string> = {}
  if (credential !== undefined) {
    needs.push({ scheme: SCHEME, scopes: [], type: 'http', http: 'bearer' })
    references[SCHEME] = credential
  }
  const addKey = (place: 'header' | 'query', name: string, id: string): void => {
    const scheme = `${SCHEME} ${place} ${name}`
    needs.push({ scheme, scopes: [], type: 'apiKey', in: place, name })
    references[scheme] = id
  }
  for (const [name, header] of Object.entries(headers))
    if ('value' in header) plain[name.toLowerCase()] = header.value
    else addKey('header', name, header.credential)
  for (const [name, id] of Object.entries(query)) addKey('query', name, id)
  return { needs, references, plain }
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
  /** Of a server over HTTP, its bearer token; of a command, the variables that it reads. */
  credential: z.string().min(1).max(96).exactOptional(),
  /** Headers of every request over HTTP: as written here, or an API key from the vault. */
  headers: z
    .record(
      z.string().min(1).max(200),
      z.union([
        z.strictObject({ value: z.string().max(2_000) }),
        z.strictObject({ credential: z.string().min(1).max(96) }),
      ]),
    )
    .exactOptional(),
  /** API keys from the vault that are parameters of its address. */
  query: z.record(z.string().min(1).max(200), z.string().min(1).max(96)).exactOptional(),
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
    prepare(document, { name, settings }) {
      const { tools, refused } = JSON.parse(document) as ForeignListing
      const listed = new Set([...tools, ...refused].map((one) => one.name))
      const { overlay = {} } = settings as Settings
      return {
        prepared: Buffer.from(document),
        report: {
          operations: tools.length + refused.length,
          taken: tools.map((tool) => `${name}.${tool.name}`),
          leftOut: refused.map((one) => ({ operation: one.name, reason: one.reason })),
          losses: [],
          tokens: Math.ceil(document.length / BYTES_PER_TOKEN),
          unmatched: Object.keys(overlay).filter((tool) => !listed.has(tool)),
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
  const { overlay = {} } = settings as Settings
  const call = importCall(name, systemCaller(tenant))
  return mountMcp({
    name,
    ...addressOf({ from: from as From, tenant, settings: settings as Settings }, parts),
    fetch: egressFetch(parts, { call, settings: settings as Settings }),
    environment: parts.environment,
    clock: parts.clock,
    keep: parts.keep,
    hide: (text) => parts.vault.scrubber(tenant).text(text),
    failsWithoutEffect: (tool) =>
      Object.hasOwn(overlay, tool) && overlay[tool]?.failsWithoutEffect === true,
    ...listening,
  })
}

type Address = { readonly from: From; readonly tenant: string; readonly settings: Settings }

function addressOf(
  { from, tenant, settings }: Address,
  { servers, vault }: McpKindParts,
): Pick<MountOptions, 'transport' | 'secrets'> {
  if ('url' in from) return { transport: { kind: 'http', url: from.url } }
  const server = Object.hasOwn(servers, from.server) ? servers[from.server] : undefined
  // A server for other tenants looks like a missing one.
  if (!server?.tenants.includes(tenant))
    throw new ToolError(
      'TOOL_RESOURCE_NOT_FOUND',
      `There is no server "${from.server}" in the configuration (mcpServers).`,
    )
  if (server.vault.length === 0) return { transport: server.address }
  const credential = settings.credential ?? `${from.server}.environment`
  return {
    transport: server.address,
    async secrets() {
      const variables = await vault.readEnvironment(tenant, credential, from.server)
      return Object.fromEntries(
        Object.entries(variables).filter(([name]) => server.vault.includes(name)),
      )
    },
  }
}
