import { isToolError, ToolError } from '@surehand/core'
import { type ForeignCall, visibleText } from '@surehand/core/host'
import { toToolAnswer } from './answer.ts'
import { type ChildEnvironment, childEnvironment } from './child-environment.ts'
import { Connection, type Prior, readOtherWay } from './connection.ts'
import { createDeadline, type Deadline, rejectWhenOver } from './deadline.ts'
import { createHide, type Hide } from './hide.ts'
import { MOUNT_LIMITS, type MountLimits } from './limits.ts'
import type { ForeignListing } from './listing.ts'
import type { MountHealth, MountState } from './mount-health.ts'
import { RestartBackoff } from './mount-health.ts'
import type { MountOptions } from './mount-options.ts'
import {
  callError,
  closedError,
  connectError,
  type FailedMount,
  listError,
  unsentError,
} from './to-tool-error.ts'
import { KnownTools } from './tool-ids.ts'
import { createRoute, withSecrets } from './transport.ts'

// After this many calls in a row without a single byte, the server hangs and is restarted.
const SILENT_CALLS = 3
const RELIST_MS = 1_000

/**
 * A mounted server over all its connections. It is connected on first use and again after a
 * connection was lost.
 */
export class MountedServer {
  private readonly options: MountOptions
  private readonly limits: MountLimits
  private readonly environment: ChildEnvironment
  private hide: Hide
  private readonly backoff: RestartBackoff
  private readonly known: KnownTools
  private connection: Connection | undefined
  private connecting: Promise<Connection> | undefined
  private prior: Prior
  private readonly closing = new AbortController()
  private callsInFlight = 0
  private connections = 0
  private silentCalls = 0
  private lastTrouble: string | undefined
  private lastWords = ''
  private relisting: 'no' | 'yes' | 'again' = 'no'

  constructor(options: MountOptions) {
    this.options = options
    this.limits = { ...MOUNT_LIMITS, ...options.limits }
    this.environment = childEnvironment(
      options.transport.kind === 'stdio' ? options.transport : {},
      options.environment ?? {},
    )
    this.hide = createHide(this.environment.secrets, options.hide)
    this.backoff = new RestartBackoff(options.clock, this.limits.restartMs)
    this.known = new KnownTools(options.name, options.listing)
  }

  async tools(signal?: AbortSignal): Promise<ForeignListing> {
    const within = createDeadline(
      this.options.clock,
      this.limits.connectMs + this.limits.listMs,
      signal,
    )
    try {
      return await this.listOn(within, this.connection)
    } finally {
      within.end()
    }
  }

  async call(call: ForeignCall, signal: AbortSignal): Promise<unknown> {
    const within = createDeadline(this.options.clock, this.limits.callMs, signal)
    this.callsInFlight++
    try {
      return await this.execute(call, within)
    } finally {
      this.callsInFlight--
      within.end()
    }
  }

  health(): MountHealth {
    const { connection } = this
    return {
      name: this.options.name,
      state: this.state(),
      era: connection?.era,
      protocolVersion: connection?.protocolVersion,
      server: connection?.server,
      pid: connection?.route.pid(),
      tools: this.known.listing?.tools.length,
      isFollowed: connection?.isFollowed ?? false,
      callsInFlight: this.callsInFlight,
      restarts: Math.max(0, this.connections - 1),
      failures: this.backoff.failures,
      retryAfterMs: this.backoff.remainingMs(),
      lastTrouble: this.lastTrouble,
      lastWords: visibleText(this.hide(connection?.route.lastWords() ?? this.lastWords)),
      skippedLines: connection?.route.skippedLines() ?? 0,
    }
  }

  async close(): Promise<void> {
    this.closing.abort()
    const connecting = this.connecting?.then(
      (connection) => connection.close(),
      () => undefined, // Reported to the callers that waited for it.
    )
    await this.closeConnection()
    await connecting
  }

  private state(): MountState {
    if (this.closing.signal.aborted) return 'closed'
    if (this.connection?.isOpen) return 'open'
    if (this.connecting !== undefined) return 'connecting'
    return this.backoff.remainingMs() > 0 ? 'waiting' : 'idle'
  }

  private async execute(call: ForeignCall, within: Deadline): Promise<unknown> {
    const print = this.known.fingerprintOf(call.tool)
    for (let attempt = 1; ; attempt++) {
      const connection = await this.requireConnection(within)
      const tool = this.known.requireUnchanged(call.tool, print)
      if (this.callsInFlight === 1) connection.refusedRequests.length = 0
      const since = this.options.clock.ticks()
      try {
        const result = await connection.call({
          tool,
          input: call.input,
          key: call.idempotencyKey,
          signal: within.signal,
        })
        this.noteAnswer()
        const { artifactBytes, answerBytes } = this.limits
        const { refusedRequests } = connection
        const isShaped = tool.outputSchema !== undefined
        return toToolAnswer(result, {
          server: this.options.name,
          tool: tool.name,
          isShaped,
          artifactBytes,
          answerBytes,
          hide: this.hide,
          refusedRequests,
          failsWithoutEffect: this.options.failsWithoutEffect?.(tool.name) ?? false,
        })
      } catch (thrown) {
        const answer = connection.sessionAnswer(thrown)
        if (answer !== 'other') await this.closeConnection(connection)
        // A server that no longer knows the session has not processed the call.
        if (answer !== 'forgotten' || attempt > 1)
          throw await this.callFailure(thrown, { connection, within, since, tool: tool.name })
      }
    }
  }

  private async listOn(within: Deadline, before: Connection | undefined): Promise<ForeignListing> {
    const connection = await this.requireConnection(within)
    // A new connection has just listed its tools.
    if (connection !== before && this.known.listing !== undefined) return this.known.listing
    try {
      return await this.list(connection, within.signal)
    } catch (thrown) {
      if (connection !== before || connection.isOpen) throw thrown
      // The server was restarted: it lists its tools on a new connection.
      return this.listOn(within, undefined)
    }
  }

  private async callFailure(thrown: unknown, at: FailedCall): Promise<ToolError> {
    if (at.within.over() !== undefined && !isToolError(thrown)) await this.countSilence(at)
    else if (at.connection.isOpen) this.noteAnswer()
    return callError(thrown, at.tool, this.failed(at.within, at.connection))
  }

  private failed(within: Deadline, connection?: Connection): FailedMount {
    const { limits, hide } = this
    return { server: this.options.name, within, limits, hide, ending: connection?.route.ending() }
  }

  private async countSilence({ connection, since }: FailedCall): Promise<void> {
    if (connection.lastHeard > since) {
      this.silentCalls = 0
      return
    }
    this.silentCalls++
    if (this.silentCalls < SILENT_CALLS || this.options.transport.kind === 'http') return
    this.noteProblem('it hangs: several calls were not answered')
    this.silentCalls = 0
    // Not awaited: the caller has waited long enough.
    void this.closeConnection(connection)
  }

  private noteAnswer(): void {
    this.silentCalls = 0
    this.backoff.recover()
  }

  /** An open connection whose tools are listed. If this throws, nothing of the call was sent. */
  private async requireConnection(within: Deadline): Promise<Connection> {
    const { name } = this.options
    try {
      if (this.closing.signal.aborted) throw closedError(name)
      if (this.connecting === undefined && this.connection?.isOpen) return this.connection
      this.connecting ??= this.connect().finally(() => {
        this.connecting = undefined
      })
      return await rejectWhenOver(this.connecting, within.signal)
    } catch (thrown) {
      throw unsentError(thrown, { server: name, within, hide: this.hide })
    }
  }

  private async connect(): Promise<Connection> {
    const { name, clock } = this.options
    const waitMs = this.backoff.remainingMs()
    if (waitMs > 0)
      throw new ToolError(
        'TOOL_RESOURCE_UNAVAILABLE',
        `${name} failed repeatedly and is not restarted for a while: ${this.lastTrouble ?? 'it failed'}.`,
        {
          details: { retry_after_ms: waitMs },
        },
      )
    const within = createDeadline(clock, this.limits.connectMs, this.closing.signal)
    const failures = this.backoff.failures
    let connection: Connection | undefined
    try {
      connection = await this.openConnection(within.signal).finally(within.end)
      this.connection = connection
      this.connections++
      await this.list(connection)
      return connection
    } catch (thrown) {
      const failure = connectError(thrown, this.failed(within, connection))
      await this.closeConnection()
      // A child process that ended was already counted then.
      if (this.backoff.failures === failures) this.noteProblem(failure.message)
      throw failure
    }
  }

  private async openConnection(signal: AbortSignal): Promise<Connection> {
    const isChild = this.options.transport.kind === 'stdio'
    const secrets = await this.options.secrets?.()
    const first = this.createConnection(this.prior, secrets)
    try {
      await first.open(signal)
      if (isChild && first.era === 'legacy') this.prior = 'legacy'
      return first
    } catch (error) {
      this.lastWords = first.route.lastWords()
      const otherWay = isChild && this.prior === undefined ? readOtherWay(error) : undefined
      if (otherWay === undefined || signal.aborted) throw error
      this.prior = otherWay
    }
    const second = this.createConnection(this.prior, secrets)
    await second.open(signal)
    return second
  }

  private createConnection(
    prior: Prior,
    secrets: Readonly<Record<string, string>> = {},
  ): Connection {
    const { transport, fetch = noFetch, clock } = this.options
    const { limits } = this
    const { address, environment } = withSecrets(transport, this.environment, secrets)
    this.hide = createHide(environment.secrets, this.options.hide)
    const { hide } = this
    const connection = new Connection(createRoute({ address, environment, fetch, limits, clock }), {
      limits,
      clock,
      hide,
      probeMs: transport.kind === 'stdio' && prior !== 'slow' ? limits.probeMs : limits.connectMs,
      prior: prior === 'legacy' ? prior : undefined,
      onListChanged: () => this.scheduleRelist(),
      onClosed: () => this.onConnectionLost(connection),
    })
    return connection
  }

  private onConnectionLost(connection: Connection): void {
    this.lastWords = connection.route.lastWords()
    if (this.connection !== connection) return
    this.connection = undefined
    this.noteProblem(connection.route.ending() ?? 'the connection was lost')
  }

  private noteProblem(what: string): void {
    this.lastTrouble = visibleText(this.hide(what)).slice(0, 500)
    this.backoff.fail()
  }

  /** Closes a connection from our side, which does not count as a failure. */
  private async closeConnection(connection = this.connection): Promise<void> {
    if (this.connection === connection) this.connection = undefined
    await connection?.close()
  }

  private async list(connection: Connection, signal?: AbortSignal): Promise<ForeignListing> {
    const listing = await this.fetchList(connection, signal)
    if (this.known.differsFrom(listing)) await this.reportChange(listing)
    this.known.store(listing)
    return listing
  }

  private async fetchList(connection: Connection, signal?: AbortSignal): Promise<ForeignListing> {
    const within = createDeadline(this.options.clock, this.limits.listMs, signal)
    try {
      return await connection.list(within.signal)
    } catch (thrown) {
      if (connection.sessionAnswer(thrown) === 'forgotten') await this.closeConnection(connection)
      throw listError(thrown, this.failed(within, connection))
    } finally {
      within.end()
    }
  }

  private async reportChange(listing: ForeignListing): Promise<void> {
    try {
      await this.options.onChange?.(listing)
    } catch (cause) {
      // The change was not recorded, so none of the changed tools may be called.
      throw new ToolError(
        'TOOL_DEPENDENCY_ERROR',
        `The tools of ${this.options.name} have changed, and the change could not be recorded. Try again later.`,
        {
          cause,
        },
      )
    }
  }

  /** Lists the tools again after a change notification, at most once a second. */
  private scheduleRelist(): void {
    if (this.relisting !== 'no') {
      this.relisting = 'again'
      return
    }
    this.relisting = 'yes'
    void this.relist()
  }

  private async relist(): Promise<void> {
    await this.connecting?.catch(() => undefined) // Reported to the callers that waited for it.
    const { connection } = this
    if (connection?.isOpen) {
      // Calls wait for this: none may reach a changed tool before the change is reported.
      this.connecting = this.listAgain(connection).finally(() => {
        this.connecting = undefined
      })
      await this.connecting.catch(() => undefined) // Noted; the next call tries again.
    }
    this.options.clock.after(RELIST_MS, () => {
      const isDue = this.relisting === 'again'
      this.relisting = 'no'
      if (isDue && !this.closing.signal.aborted) this.scheduleRelist()
    })
  }

  private async listAgain(connection: Connection): Promise<Connection> {
    try {
      await this.list(connection)
      return connection
    } catch (error) {
      await this.closeConnection(connection)
      this.noteProblem(
        isToolError(error) ? error.message : 'its changed list of tools could not be read',
      )
      throw error
    }
  }
}

type FailedCall = {
  readonly connection: Connection
  readonly within: Deadline
  readonly since: number
  readonly tool: string
}

async function noFetch(): Promise<never> {
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'A server over HTTP needs the option `fetch`, which must go through egress.',
    { effect: 'none' },
  )
}
