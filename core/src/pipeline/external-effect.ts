import type { CallRow, EffectMark } from '../call/call-row.ts'
import { hashJson } from '../call/canonical.ts'
import type { Maybe } from '../call/maybe.ts'
import { ToolError, toToolError, traceOf } from '../call/tool-error.ts'
import type { Port, Recovery } from '../define/port.ts'
import type { Work } from '../define/tool.ts'
import { intentEntry } from '../ledger/audit.ts'
import type { Call } from '../ledger/call.ts'
import { cancelledError } from '../ledger/deadline.ts'
import type { Fence } from '../ports/calls.ts'
import { sleep } from '../ports/clock.ts'
import { type Attempt, CallExecution } from './attempt.ts'
import type { PipelineContext } from './context.ts'
import type { Method } from './providers.ts'
import { withFreshInput } from './validate.ts'

/**
 * What is known about the effect after an attempt failed.
 * - `no-effect`: nothing happened, so it may be tried again or released.
 * - `refused`: the provider refused it for good.
 * - `same-key`: it may have happened; sending it again with the same key is safe.
 * - `look-up`: it may have happened; the provider can be asked.
 * - `later`: it cannot be found out now; a later recovery will.
 * - `unknown`: it cannot be found out at all.
 * - `done`: the effect happened, only the code after it failed.
 * - `claim-lost`: another process holds the row.
 */
type Verdict =
  | 'no-effect'
  | 'refused'
  | 'same-key'
  | 'look-up'
  | 'later'
  | 'unknown'
  | 'done'
  | 'claim-lost'

// The mark of a write whose ports declare no effect: the whole `execute` is the effect.
const WHOLE_EXECUTE: EffectMark = { port: '', method: 'execute', argsHash: '' }

/**
 * The one external effect of a claimed call: its start is stored first, it is made once, and
 * failures are judged by its recovery class.
 */
export class ExternalEffect {
  /** Set once the provider has answered. */
  result: { readonly value: unknown } | undefined
  private verdict: Verdict | undefined
  private mark: EffectMark | undefined
  private isStarted: boolean
  private answeredTo: Attempt | undefined
  /** Requests without a response: while there is one, the provider's "absent" proves nothing. */
  private inFlight = 0
  private tries = 0
  private recovery: Recovery = { kind: 'none' }
  private failure: ToolError | undefined
  /** The effect may have happened in an earlier attempt or process. */
  mayHaveHappened: boolean
  private usedBy: Attempt | undefined
  private readonly fence: Fence
  private readonly call: Call
  private readonly row: CallRow
  private readonly context: PipelineContext

  constructor(call: Call, row: CallRow, context: PipelineContext) {
    this.call = call
    this.row = row
    this.context = context
    this.fence = { tenant: row.tenant, callId: row.callId, fence: row.fence }
    // A process ended while this effect was under way.
    this.mayHaveHappened = row.effect !== undefined
    this.mark = row.effect
    this.isStarted = row.effect !== undefined
    if (row.effect !== undefined) this.recovery = this.findRecovery(row.effect)
  }

  /** It may have happened and cannot be found out: `execute` must not run. */
  get isLost(): boolean {
    return this.mayHaveHappened && this.recovery.kind === 'none'
  }

  async execute(attempt: Attempt, work: Extract<Work, { kind: 'execute' }>): Promise<unknown> {
    this.verdict = undefined
    this.failure = undefined
    if (this.call.tool.contract.isWrite && !this.call.tool.hasEffectPorts) {
      const starting = this.start(attempt, WHOLE_EXECUTE)
      if (starting instanceof Promise) await starting
    }
    const call = this.tries++ === 0 ? this.call : withFreshInput(this.call)
    const raw = await work.execute(
      new CallExecution(call, this.context, attempt, {
        ports: this.guardedPorts(attempt),
        idempotencyKey: this.row.providerKey,
      }),
    )
    if (this.mark === WHOLE_EXECUTE) this.result = { value: raw }
    // A tool that catches its provider's failure must not turn it into a success.
    if (this.failure !== undefined && this.result === undefined) throw this.failure
    if (this.mayHaveHappened && this.result === undefined)
      throw this.divergedError('did not repeat the effect that it had started')
    return raw
  }

  /** What a failed attempt says about the effect. */
  judge(thrown: unknown): Verdict {
    if (this.verdict !== undefined) return this.verdict
    if (!this.isStarted) return 'no-effect'
    // The response to an earlier attempt came late: the next attempt gets it.
    if (this.result !== undefined)
      return this.mark === WHOLE_EXECUTE || this.answeredTo === this.usedBy ? 'done' : 'look-up'
    const error = toToolError(thrown)
    const trace = traceOf(this.failure ?? error)
    if (trace === 'none' && !this.mayHaveHappened) return 'no-effect'
    if (trace === 'refused' && (!this.mayHaveHappened || this.recovery.kind === 'sameKey'))
      return 'refused'
    this.mayHaveHappened = true
    switch (this.recovery.kind) {
      case 'sameKey':
        return 'same-key'
      case 'lookUp':
        return 'look-up'
      case 'none':
        return 'unknown'
    }
  }

  private guardedPorts(attempt: Attempt): object {
    const providers = this.context.providers.of(this.call.tool, this.call.caller.tenant)
    if (!this.call.tool.hasEffectPorts) return providers
    const ports: Record<string, object> = { ...providers }
    for (const [alias, port] of this.call.tool.ports) {
      if (!port.hasEffects) continue
      const guarded: Record<string, Method> = { ...providers[alias] }
      for (const [method, recovery] of port.methods) {
        if (recovery === 'read') continue
        // A function that is written right where a property is assigned is kept, with all that it
        // refers to, until the next full collection.
        const make: Method = (args, signal) =>
          this.make({ attempt, port, method, recovery, args, signal: signal ?? attempt.signal })
        guarded[method] = make
      }
      ports[alias] = guarded
    }
    return ports
  }

  private async make(step: EffectStep): Promise<unknown> {
    if (step.attempt.ended) throw cancelledError(this.call)
    if (this.usedBy === step.attempt)
      throw new ToolError(
        'TOOL_INTERNAL_ERROR',
        `${this.call.tool.id} makes a second external effect in one call. Split it into the steps of a run.`,
      )
    this.usedBy = step.attempt
    const mark = {
      port: step.port.name,
      method: step.method,
      argsHash: hashJson(step.args ?? null),
    }
    if (this.mayHaveHappened && !sameMark(mark, this.mark))
      throw this.divergedError('makes another effect than the one it had started')
    this.recovery = step.recovery
    const found = this.result ?? (this.mayHaveHappened ? await this.recover(step) : undefined)
    if (found === undefined) {
      await this.start(step.attempt, mark)
      await this.send(step)
    }
    this.answeredTo = step.attempt
    return this.result?.value
  }

  private async send(step: EffectStep): Promise<void> {
    this.inFlight++
    try {
      this.result = {
        value: await this.request(step, step.method, step.args),
      }
    } catch (thrown) {
      const failure = toToolError(thrown)
      // The late failure of an earlier attempt says nothing about the current one.
      if (this.usedBy === step.attempt) this.failure = failure
      throw failure
    } finally {
      this.inFlight--
    }
  }

  private request({ port, signal }: EffectStep, method: string, args: unknown): Promise<unknown> {
    const { timeline, caller } = this.call
    const send = () => this.context.providers.method(port.name, method, caller.tenant)(args, signal)
    return timeline === undefined ? send() : timeline.timeRequest(port.name, method, send)
  }

  // The start is stored before the first byte is sent. After a lost claim or an ended attempt
  // nothing is sent.
  private start(attempt: Attempt, mark: EffectMark): Maybe<void> {
    const askedAt = this.readClocks()
    const storing = this.storeStart(mark, askedAt.ticks)
    return storing === true && !attempt.ended && !this.wasSuspended(askedAt)
      ? this.noteStart(attempt, mark)
      : this.startOnceStored(attempt, mark, { askedAt, storing })
  }

  private async startOnceStored(
    attempt: Attempt,
    mark: EffectMark,
    { askedAt, storing }: { readonly askedAt: Moment; readonly storing: Maybe<boolean> },
  ): Promise<void> {
    if (!(await storing) && !(await this.renewAndStore(mark))) throw this.claimLost()
    if (attempt.ended) throw cancelledError(this.call)
    if (this.wasSuspended(askedAt)) await this.startAnew(attempt, mark)
    this.noteStart(attempt, mark)
  }

  private noteStart(attempt: Attempt, mark: EffectMark): void {
    attempt.committed = true
    this.mark = mark
    this.isStarted = true
  }

  // If this process was suspended, another one may have looked the effect up, found nothing and sent
  // it. A claim that can be renewed is still ours. And the start is stored anew, because the time in
  // which a request may still arrive counts from it.
  private async startAnew(attempt: Attempt, mark: EffectMark): Promise<void> {
    const { leases, leaseMs, stores } = this.context
    let isStored: boolean
    let askedAt: Moment
    do {
      askedAt = this.readClocks()
      if (!(await stores.calls.renew(this.fence, leaseMs, leases.bootTime())))
        throw this.claimLost()
      leases.renewed(this.fence)
      isStored = await this.storeStart(mark, askedAt.ticks)
      if (attempt.ended) throw cancelledError(this.call)
    } while (this.wasSuspended(askedAt))
    if (!isStored) throw this.claimLost()
  }

  private storeStart(mark: EffectMark, ticks: number): Maybe<boolean> {
    const { leases, stores } = this.context
    const intent = intentEntry(this.call, ticks, this.context)
    return stores.calls.startEffect(this.fence, mark, intent, leases.bootTime())
  }

  // A step of the store's clock ends every lease at once. The claim is still ours while its fence is,
  // and then the lease can be renewed.
  private async renewAndStore(mark: EffectMark): Promise<boolean> {
    const { leases, leaseMs, stores } = this.context
    const isOurs =
      !leases.isOver(this.row) && (await stores.calls.renew(this.fence, leaseMs, leases.bootTime()))
    return isOurs && this.storeStart(mark, this.context.clock.ticks())
  }

  private readClocks(): Moment {
    return { ticks: this.context.clock.ticks(), now: this.context.clock.now() }
  }

  // By both clocks: one of them stops while the machine sleeps.
  private wasSuspended(since: Moment): boolean {
    const { ticks, now } = this.readClocks()
    return Math.max(ticks - since.ticks, now - since.now) > this.context.leaseMs / 2
  }

  /**
   * The effect may have happened: what the provider knows of it, or undefined when it may be sent
   * again.
   */
  private async recover(step: EffectStep): Promise<{ readonly value: unknown } | undefined> {
    switch (step.recovery.kind) {
      case 'sameKey':
        if (this.context.leases.oldestAgeMs(await this.readRow()) < step.recovery.validForMs)
          return undefined
        throw this.settle(
          'unknown',
          new ToolError('TOOL_OUTCOME_UNKNOWN', 'The provider no longer remembers our key.'),
        )
      case 'lookUp':
        return this.lookUp(step, step.recovery)
      case 'none':
        throw this.settle(
          'unknown',
          new ToolError('TOOL_OUTCOME_UNKNOWN', 'The provider has no method to look it up.'),
        )
    }
  }

  private async lookUp(
    step: EffectStep,
    recovery: Extract<Recovery, { kind: 'lookUp' }>,
  ): Promise<{ readonly value: unknown } | undefined> {
    const found = await this.askProvider(step, recovery.method)
    if (found !== undefined) return found
    if (recovery.settleMs === undefined || this.inFlight > 0)
      throw this.settle(
        'unknown',
        new ToolError(
          'TOOL_OUTCOME_UNKNOWN',
          'The provider does not know it, but the request may still be on its way.',
        ),
      )
    // A request may arrive as late as the port's `settle` says: only after that does "absent"
    // count.
    const waitMs = recovery.settleMs - this.context.leases.youngestAgeMs(await this.readRow())
    if (waitMs <= 0) return this.forgetStart()
    if (this.context.clock.ticks() + waitMs >= this.call.deadlineTicks)
      throw this.settle(
        'later',
        new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'It is not known yet whether it happened.'),
      )
    await sleep(this.context.clock, waitMs, step.signal)
    // Looked up again, because the timer may have been too fast.
    return this.lookUp(step, recovery)
  }

  /** The row as it is now, which says when the request was sent. */
  private async readRow(): Promise<CallRow> {
    const row = await this.context.stores.calls.get(this.row.tenant, this.row.callId)
    if (row?.effect === undefined || row.fence !== this.row.fence) throw this.claimLost()
    return row
  }

  // It did not happen and no longer can: the next request is the first one.
  private forgetStart(): undefined {
    this.mayHaveHappened = false
    this.isStarted = false
    return undefined
  }

  private async askProvider(
    step: EffectStep,
    method: string,
  ): Promise<{ readonly value: unknown } | undefined> {
    try {
      const args = { idempotencyKey: this.row.providerKey, args: step.args }
      const value = await this.request(step, method, args)
      // An ended attempt must not change anything: another one may be running.
      if (step.attempt.ended) throw cancelledError(this.call)
      if (value === null || value === undefined) return undefined
      this.result = { value }
      return this.result
    } catch (thrown) {
      throw step.attempt.ended
        ? cancelledError(this.call)
        : this.settle('later', toToolError(thrown))
    }
  }

  // Stored as well as thrown, because the tool's own code may catch what is thrown.
  private settle(verdict: Verdict, error: ToolError): ToolError {
    this.verdict = verdict
    this.failure = error
    return error
  }

  private claimLost(): ToolError {
    const message = `Another process has taken over ${this.call.tool.id}.`
    return this.settle('claim-lost', new ToolError('TOOL_ALREADY_RUNNING', message))
  }

  private divergedError(what: string): ToolError {
    return this.settle(
      'unknown',
      new ToolError('TOOL_RUN_DIVERGED', `${this.call.tool.id} ${what}.`, {
        details: { call_id: this.row.callId },
      }),
    )
  }

  private findRecovery(mark: EffectMark): Recovery {
    const port = [...this.call.tool.ports.values()].find(
      (candidate) => candidate.name === mark.port,
    )
    const recovery = port?.methods.get(mark.method)
    return recovery === undefined || recovery === 'read' ? { kind: 'none' } : recovery
  }
}

type EffectStep = {
  readonly attempt: Attempt
  readonly port: Port
  readonly method: string
  readonly recovery: Recovery
  readonly args: unknown
  readonly signal: AbortSignal
}

type Moment = { readonly ticks: number; readonly now: number }

function sameMark(left: EffectMark, right: EffectMark | undefined): boolean {
  return (
    left.port === right?.port && left.method === right.method && left.argsHash === right.argsHash
  )
}
