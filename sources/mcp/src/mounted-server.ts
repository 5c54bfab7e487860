import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { isToolError, ToolError } from '@surehand/core'
import { type ForeignCall, visibleText } from '@surehand/core/host'
import { answerOf } from './answer.ts'
import { type ChildEnvironment, childEnvironment } from './child-environment.ts'
import { Connection } from './connection.ts'
import { type Deadline, deadline, unlessOver } from './deadline.ts'
import { failureOf } from './failure.ts'
import { type Hide, hiding } from './hide.ts'
import { KnownTools } from './known-tools.ts'
import { MOUNT_LIMITS, type MountLimits } from './limits.ts'
import type { ForeignListing } from './listing.ts'
import type { MountHealth, MountState } from './mount-health.ts'
import type { MountOptions } from './mount-options.ts'
import { RestartPause } from './restart-pause.ts'
import { wayTo } from './transport.ts'

// this many calls in a row without a single byte: it hangs, and a fresh one may not
const SILENT_CALLS = 3
const RELIST_MS = 1_000

/** A server through all its connections: it is connected to when it is needed, and again when it was lost. */
export class MountedServer {
  private readonly options: MountOptions
  private readonly limits: MountLimits
  private readonly environment: ChildEnvironment
  private readonly hide: Hide
  private readonly pause: RestartPause
  private readonly known: KnownTools
  private connection: Connection | undefined
  private connecting: Promise<Connection> | undefined
  private prior: 'legacy' | undefined
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
    this.hide = hiding(this.environment.secrets, options.hide)
    this.pause = new RestartPause(options.clock, this.limits.restartMs)
    this.known = new KnownTools(options.name, options.listing)
  }

  async tools(signal?: AbortSignal): Promise<ForeignListing> {
    const within = deadline(this.options.clock, this.limits.connectMs + this.limits.listMs, signal)
    const wasOpen = this.connection?.isOpen === true
    try {
      const connection = await this.reach(within)
      // a fresh connection has just been asked
      return wasOpen || this.known.listing === undefined
        ? await this.list(connection, within.signal)
        : this.known.listing
    } finally {
      within.end()
    }
  }

  async call(call: ForeignCall, signal: AbortSignal): Promise<unknown> {
    const within = deadline(this.options.clock, this.limits.callMs, signal)
    this.callsInFlight++
    try {
      return await this.carry(call, within)
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
      pid: connection?.way.pid(),
      tools: this.known.listing?.tools.length,
      isFollowed: connection?.isFollowed ?? false,
      callsInFlight: this.callsInFlight,
      restarts: Math.max(0, this.connections - 1),
      failures: this.pause.failures,
      retryAfterMs: this.pause.remainingMs(),
      lastTrouble: this.lastTrouble,
      lastWords: visibleText(this.hide(connection?.way.lastWords() ?? this.lastWords)),
      skippedLines: connection?.way.skippedLines() ?? 0,
    }
  }

  async close(): Promise<void> {
    this.closing.abort()
    const connecting = this.connecting?.then(
      (connection) => connection.close(),
      () => undefined, // whoever waited for it was told
    )
    await this.drop()
    await connecting
  }

  private state(): MountState {
    if (this.closing.signal.aborted) return 'closed'
    if (this.connection?.isOpen) return 'open'
    if (this.connecting !== undefined) return 'connecting'
    return this.pause.remainingMs() > 0 ? 'waiting' : 'idle'
  }

  private async carry(call: ForeignCall, within: Deadline): Promise<unknown> {
    const print = this.known.printOf(call.tool)
    for (let attempt = 1; ; attempt++) {
      const connection = await this.reach(within)
      const tool = this.known.unchanged(call.tool, print)
      if (this.callsInFlight === 1) connection.refusedRequests.length = 0
      const since = this.options.clock.ticks()
      try {
        const result = await connection.call({
          tool,
          input: call.input,
          key: call.idempotencyKey,
          signal: within.signal,
        })
        this.answered()
        const { artifactBytes } = this.limits
        const { refusedRequests } = connection
        const isShaped = tool.outputSchema !== undefined
        return answerOf(result, {
          server: this.options.name,
          tool: tool.name,
          isShaped,
          artifactBytes,
          hide: this.hide,
          refusedRequests,
        })
      } catch (thrown) {
        const status =
          thrown instanceof SdkHttpError && connection.way.hasSession() ? thrown.status : 0
        if (status === 400 || status === 404) await this.drop(connection)
        // a server that has forgotten the session has not looked at the call
        const isForgotten = status === 404
        if (!isForgotten || attempt > 1)
          throw await this.callFailure(thrown, { connection, within, since, tool: tool.name })
      }
    }
  }

  private async callFailure(thrown: unknown, at: FailedCall): Promise<ToolError> {
    const { name } = this.options
    const over = at.within.over()
    if (over !== undefined && !isToolError(thrown)) {
      await this.judgeSilence(at)
      return over === 'left'
        ? new ToolError(
            'TOOL_CANCELLED',
            `The call of ${at.tool} of ${name} was cancelled; it had been sent.`,
            { effect: 'possible' },
          )
        : new ToolError(
            'TOOL_EXECUTION_TIMEOUT',
            `${name} did not answer ${at.tool} in ${this.limits.callMs} ms.`,
            { effect: 'possible' },
          )
    }
    if (at.connection.isOpen) this.answered()
    return failureOf(thrown, {
      server: name,
      doing: `the call of ${at.tool}`,
      hide: this.hide,
      ending: at.connection.way.ending(),
    })
  }

  private async judgeSilence({ connection, since }: FailedCall): Promise<void> {
    if (connection.lastHeard > since) {
      this.silentCalls = 0
      return
    }
    this.silentCalls++
    if (this.silentCalls < SILENT_CALLS || this.options.transport.kind === 'http') return
    this.troubled('it hangs: it has left several calls unanswered')
    this.silentCalls = 0
    // not awaited: the caller has waited long enough
    void this.drop(connection)
  }

  private answered(): void {
    this.silentCalls = 0
    this.pause.recover()
  }

  /** An open connection whose tools are known. Whatever keeps it from that, nothing of a call has been sent. */
  private async reach(within: Deadline): Promise<Connection> {
    const { name } = this.options
    try {
      if (this.closing.signal.aborted)
        throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', `${name} is not mounted any more.`)
      if (this.connecting === undefined && this.connection?.isOpen) return this.connection
      this.connecting ??= this.connect().finally(() => {
        this.connecting = undefined
      })
      return await unlessOver(this.connecting, within.signal)
    } catch (thrown) {
      if (within.over() === 'left')
        throw new ToolError('TOOL_CANCELLED', 'The caller has left; nothing was sent.', {
          effect: 'none',
        })
      if (within.over() === 'time')
        throw new ToolError(
          'TOOL_EXECUTION_TIMEOUT',
          `${name} was not ready in time; nothing was sent.`,
          { effect: 'none' },
        )
      const { code, message, details, cause } = failureOf(thrown, {
        server: name,
        doing: 'the greeting',
        hide: this.hide,
      })
      throw new ToolError(code, message, {
        effect: 'none',
        cause,
        ...(details === undefined ? {} : { details }),
      })
    }
  }

  private async connect(): Promise<Connection> {
    const { name, clock } = this.options
    const waitMs = this.pause.remainingMs()
    if (waitMs > 0)
      throw new ToolError(
        'TOOL_RESOURCE_UNAVAILABLE',
        `${name} is left alone for a while: ${this.lastTrouble ?? 'it failed'}.`,
        {
          details: { retry_after_ms: waitMs },
        },
      )
    const within = deadline(clock, this.limits.connectMs, this.closing.signal)
    const failures = this.pause.failures
    let connection: Connection | undefined
    try {
      connection = await this.greet(within.signal).finally(within.end)
      this.connection = connection
      this.connections++
      await this.list(connection)
      return connection
    } catch (thrown) {
      const failure = this.connectFailure(thrown, within, connection)
      await this.drop()
      // a child that ended has been counted when it did
      if (this.pause.failures === failures) this.troubled(failure.message)
      throw failure
    }
  }

  private connectFailure(
    thrown: unknown,
    within: Deadline,
    connection: Connection | undefined,
  ): ToolError {
    const { name } = this.options
    if (within.over() === 'left')
      return new ToolError('TOOL_RESOURCE_UNAVAILABLE', `${name} is not mounted any more.`)
    if (within.over() === 'time')
      return new ToolError(
        'TOOL_RESOURCE_UNAVAILABLE',
        `${name} can't be used: it was not ready in ${this.limits.connectMs} ms.`,
      )
    return failureOf(thrown, {
      server: name,
      doing: 'the greeting',
      hide: this.hide,
      ending: connection?.way.ending(),
    })
  }

  private async greet(signal: AbortSignal): Promise<Connection> {
    const isChild = this.options.transport.kind === 'stdio'
    const first = this.connectionWith(this.prior)
    try {
      await first.open(signal)
      if (isChild && first.era === 'legacy') this.prior = 'legacy'
      return first
    } catch (error) {
      this.lastWords = first.way.lastWords()
      const isOver = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
      if (!isChild || !isOver || this.prior !== undefined || signal.aborted) throw error
    }
    // some old servers end at a question they don't know; a fresh one is greeted in their way
    const second = this.connectionWith('legacy')
    await second.open(signal)
    this.prior = 'legacy'
    return second
  }

  private connectionWith(prior: 'legacy' | undefined): Connection {
    const { transport, fetch = noFetch, clock } = this.options
    const { limits, environment, hide } = this
    const connection = new Connection(
      wayTo({ address: transport, environment, fetch, limits, clock }),
      {
        limits,
        clock,
        hide,
        probeMs: transport.kind === 'stdio' ? limits.probeMs : limits.connectMs,
        prior,
        onListChanged: () => this.changed(),
        onClosed: () => this.lost(connection),
      },
    )
    return connection
  }

  private lost(connection: Connection): void {
    this.lastWords = connection.way.lastWords()
    if (this.connection !== connection) return
    this.connection = undefined
    this.troubled(connection.way.ending() ?? 'the connection was lost')
  }

  private troubled(what: string): void {
    this.lastTrouble = visibleText(this.hide(what)).slice(0, 500)
    this.pause.fail()
  }

  /** Ends a connection on our own account, which is no failure of it. */
  private async drop(connection = this.connection): Promise<void> {
    if (this.connection === connection) this.connection = undefined
    await connection?.close()
  }

  private async list(connection: Connection, signal?: AbortSignal): Promise<ForeignListing> {
    const listing = await this.ask(connection, signal)
    if (this.known.differsFrom(listing)) await this.tell(listing)
    this.known.take(listing)
    return listing
  }

  private async ask(connection: Connection, signal?: AbortSignal): Promise<ForeignListing> {
    const { name, clock } = this.options
    const within = deadline(clock, this.limits.listMs, signal)
    try {
      return await connection.list(within.signal)
    } catch (thrown) {
      if (within.over() === 'time')
        throw new ToolError(
          'TOOL_RESOURCE_UNAVAILABLE',
          `${name} did not list its tools in ${this.limits.listMs} ms.`,
        )
      throw failureOf(thrown, {
        server: name,
        doing: 'the list of its tools',
        hide: this.hide,
        ending: connection.way.ending(),
      })
    } finally {
      within.end()
    }
  }

  private async tell(listing: ForeignListing): Promise<void> {
    try {
      await this.options.onChange?.(listing)
    } catch (cause) {
      // nobody has seen the change, so nothing of it is used
      throw new ToolError(
        'TOOL_DEPENDENCY_ERROR',
        `The tools of ${this.options.name} have changed, and that could not be taken in.`,
        {
          cause,
        },
      )
    }
  }

  /** Told that its tools have changed: they are asked for once a second at most, however often that is told. */
  private changed(): void {
    if (this.relisting !== 'no') {
      this.relisting = 'again'
      return
    }
    this.relisting = 'yes'
    void this.relist()
  }

  private async relist(): Promise<void> {
    await this.connecting?.catch(() => undefined) // told to whoever waits for it
    const { connection } = this
    if (connection?.isOpen) {
      // calls wait for it: none may reach a tool that has changed before somebody has been told
      this.connecting = this.listAgain(connection).finally(() => {
        this.connecting = undefined
      })
      await this.connecting.catch(() => undefined) // noted, and the next call tries again
    }
    this.options.clock.after(RELIST_MS, () => {
      const isDue = this.relisting === 'again'
      this.relisting = 'no'
      if (isDue && !this.closing.signal.aborted) this.changed()
    })
  }

  private async listAgain(connection: Connection): Promise<Connection> {
    try {
      await this.list(connection)
      return connection
    } catch (error) {
      await this.drop(connection)
      this.troubled(
        isToolError(error) ? error.message : 'the change of its tools could not be followed',
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
    'A server over HTTP needs a fetch that goes through egress.',
    { effect: 'none' },
  )
}
