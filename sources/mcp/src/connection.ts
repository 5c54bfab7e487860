import {
  Client,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type StandardSchemaV1,
} from '@modelcontextprotocol/client'
import { visibleText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Clock } from '@surehand/core/ports'
import { createDeadline, rejectWhenOver } from './deadline.ts'
import type { Hide } from './hide.ts'
import type { MountLimits } from './limits.ts'
import { type ForeignListing, type ListedTool, readListing } from './listing.ts'
import type { Route } from './transport.ts'

export type ConnectionOptions = {
  readonly limits: MountLimits
  readonly clock: Clock
  readonly hide: Hide
  /**
   * How long the first request may stay unanswered. A silent child process is an old server; a
   * silent HTTP server is none.
   */
  readonly probeMs: number
  readonly prior: 'legacy' | undefined
  readonly onListChanged: () => void
  readonly onClosed: () => void
}

export type ToolCall = {
  readonly tool: ListedTool
  readonly input: unknown
  readonly key: string
  readonly signal: AbortSignal
}

/** The `_meta` field with the idempotency key, by which a server can recognize a repeated call. */
export const KEY_META = 'surehand/idempotencyKey'

const RAW_TOOLS = 'surehand/tools'
// The SDK's own timeouts are set later than ours, which use the given clock.
const SLACK_MS = 5_000
const RELISTEN_MS = { first: 1_000, longest: 60_000 }

// The SDK refuses a whole list for one invalid tool, so its validation is skipped and the list is
// read tool by tool.
const UNCHECKED: StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> = {
  '~standard': {
    version: 1,
    vendor: 'surehand',
    validate: (value) => ({ value: isRecord(value) ? value : {} }),
  },
}

/** What is known about how a child process wants to be opened. */
export type Prior = 'legacy' | 'slow' | undefined

/**
 * Some old servers exit at an unknown request: a new process is opened with the older protocol. A
 * server that refuses the older protocol knows the newer one and had not started yet when it was
 * asked for it.
 */
export function readOtherWay(error: unknown): Prior {
  if (error instanceof ProtocolError) return 'slow'
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
    ? 'legacy'
    : undefined
}

/** One connection to a server, of either protocol era, from opening to closing. */
export class Connection {
  readonly route: Route
  isOpen = false
  /** Whether the server announces changes of its tools. */
  isFollowed = false
  lastHeard: number
  readonly refusedRequests: string[] = []
  private readonly client: Client
  private readonly options: ConnectionOptions
  private relistens = 0
  private cancelRelisten: () => void = () => undefined

  constructor(way: Route, options: ConnectionOptions) {
    this.route = way
    this.options = options
    this.lastHeard = options.clock.ticks()
    this.client = new Client(
      { name: 'surehand', version: '0.1.0' },
      {
        // No sampling, elicitation, roots or tasks: such requests are refused.
        capabilities: {},
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: options.probeMs } },
        inputRequired: { autoFulfill: false },
      },
    )
    way.transport.onmessage = (message: JSONRPCMessage) => this.hear(message)
    this.client.onclose = () => this.finish()
    this.client.fallbackRequestHandler = async ({ method }) => this.refuse(method)
    this.client.setNotificationHandler('notifications/tools/list_changed', () =>
      this.options.onListChanged(),
    )
  }

  get era(): 'modern' | 'legacy' | undefined {
    return this.client.getProtocolEra()
  }

  get protocolVersion(): string | undefined {
    return this.client.getNegotiatedProtocolVersion()
  }

  /** The name and version that the server claims; for display only. */
  get server(): { readonly name: string; readonly version: string } | undefined {
    const info = this.client.getServerVersion()
    if (info === undefined) return undefined
    const visible = (text: string) => visibleText(this.options.hide(text).slice(0, 200))
    return { name: visible(info.name), version: visible(info.version) }
  }

  async open(signal: AbortSignal): Promise<void> {
    const timeout = this.options.limits.connectMs + SLACK_MS
    const prior = this.options.prior === 'legacy' ? { prior: { kind: 'legacy' } as const } : {}
    try {
      await rejectWhenOver(
        this.client.connect(this.route.transport, { timeout, signal, ...prior }),
        signal,
      )
    } catch (error) {
      await this.close()
      throw error
    }
    this.isOpen = true
    if (this.client.getServerCapabilities()?.tools?.listChanged === true) this.follow()
  }

  async list(signal: AbortSignal): Promise<ForeignListing> {
    const { limits } = this.options
    if (this.client.getServerCapabilities()?.tools === undefined)
      return { tools: [], refused: [], notes: ['The server has no tools.'] }
    const entries: unknown[] = []
    const notes: string[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 1; ; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const result = await this.client.request({ method: 'tools/list', params }, UNCHECKED, {
        signal,
        timeout: limits.listMs + SLACK_MS,
      })
      const tools = result[RAW_TOOLS]
      if (!Array.isArray(tools))
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'tools/list has no list of tools')
      for (const tool of tools) entries.push(tool)
      cursor = typeof result.nextCursor === 'string' ? result.nextCursor : undefined
      if (cursor === undefined) break
      const stop = this.whyNoFurther(page, entries.length, seen.has(cursor) ? 'again' : 'new')
      if (stop !== undefined) {
        notes.push(stop)
        break
      }
      seen.add(cursor)
    }
    return readListing(entries, limits, notes)
  }

  call({ tool, input, key, signal }: ToolCall): Promise<Readonly<Record<string, unknown>>> {
    // Type erased: the input passed the tool's schema, and every listed schema is of type object.
    const given = input as Record<string, unknown>
    // Without the output schema: the SDK would compile and run untrusted patterns.
    const toolDefinition = {
      name: tool.name,
      inputSchema: { ...tool.inputSchema, type: 'object' as const },
    }
    return this.client.callTool(
      { name: tool.name, arguments: given, _meta: { [KEY_META]: key } },
      { signal, timeout: this.options.limits.callMs + SLACK_MS, toolDefinition },
    )
  }

  /**
   * What an error says about the session. A server that no longer knows it answers with 404, some
   * with 400, and has not processed the request. Any other 400 leaves both in doubt.
   */
  sessionAnswer(thrown: unknown): 'forgotten' | 'doubtful' | 'other' {
    if (!(thrown instanceof SdkHttpError) || !this.route.hasSession()) return 'other'
    if (thrown.status === 404) return 'forgotten'
    if (thrown.status !== 400) return 'other'
    return /session/i.test(`${thrown.message} ${thrown.data.text ?? ''}`) ? 'forgotten' : 'doubtful'
  }

  async close(): Promise<void> {
    const { clock, limits } = this.options
    const within = createDeadline(clock, limits.graceMs)
    try {
      if (this.isOpen) await rejectWhenOver(this.route.leave(), within.signal)
    } catch {
      // The connection is closed in any case; the server forgets the session by itself.
    } finally {
      within.end()
    }
    this.finish()
    await this.route.transport.close()
  }

  private finish(): void {
    const wasOpen = this.isOpen
    this.isOpen = false
    this.isFollowed = false
    this.cancelRelisten()
    if (wasOpen) this.options.onClosed()
  }

  private hear(message: JSONRPCMessage): void {
    this.lastHeard = this.options.clock.ticks()
    if (!('result' in message) || !isRecord(message.result) || !Array.isArray(message.result.tools))
      return
    message.result = { ...message.result, tools: [], [RAW_TOOLS]: message.result.tools }
  }

  private refuse(method: string): never {
    const shown = visibleText(method.slice(0, 100))
    if (this.refusedRequests.length < 100) this.refusedRequests.push(shown)
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `${shown} is not supported: this client declares no such capability.`,
    )
  }

  private whyNoFurther(page: number, count: number, cursor: 'again' | 'new'): string | undefined {
    const { limits } = this.options
    if (cursor === 'again')
      return 'The list of tools leads back to a page that was read: it ends there.'
    if (page >= limits.pages)
      return `The list of tools has more than ${limits.pages} pages. The rest was not read.`
    if (count > limits.tools)
      return `The list has more than ${limits.tools} tools. Further pages were not read.`
    return undefined
  }

  private follow(): void {
    if (this.era === 'legacy') {
      this.isFollowed = true
      return
    }
    void this.listen()
  }

  private async listen(): Promise<void> {
    const { clock, limits, onListChanged } = this.options
    try {
      const subscription = await this.client.listen(
        { toolsListChanged: true },
        { timeout: limits.listMs },
      )
      this.isFollowed = true
      // The tools may have changed between two subscriptions.
      if (this.relistens > 0) onListChanged()
      this.relistens = 0
      await subscription.closed
    } catch {
      // Subscribing is tried again later; until then `health` reports that the server is not
      // followed.
    }
    this.isFollowed = false
    if (!this.isOpen) return
    const delayMs = Math.min(RELISTEN_MS.first * 2 ** this.relistens, RELISTEN_MS.longest)
    this.relistens++
    this.cancelRelisten = clock.after(delayMs, () => void this.listen())
  }
}
