import type { Call } from '../call/call.ts'
import { hashJson } from '../call/hash.ts'
import { ToolError, toToolError, traceOf } from '../call/tool-error.ts'
import type { Port, Recovery } from '../define/port.ts'
import type { Work } from '../define/tool.ts'
import type { CallRow, EffectMark, Fence } from '../ports/calls.ts'
import { sleep } from '../ports/clock.ts'
import { type Attempt, cancelled } from './attempt.ts'
import { intentEntry } from './audit-entry.ts'
import { CallExecution } from './execution.ts'
import type { PipelineContext } from './parts.ts'
import type { Method } from './providers.ts'

/**
 * What is known after an attempt went wrong.
 * `nothing`: free to try again or to let go. `refused`: the provider's no. `again`: drive it with the same key. `look`: ask the provider.
 * `later`: can't be told now, a recoverer will. `unknown`: nobody can tell. `done`: the effect is there, only the answer broke. `zombie`: the row is another's.
 */
export type Verdict =
  | 'nothing'
  | 'refused'
  | 'again'
  | 'look'
  | 'later'
  | 'unknown'
  | 'done'
  | 'zombie'

const BARE: EffectMark = { port: '', method: 'execute', argsHash: '' }

/** The one outside effect of a claimed call: started durably, made once, judged by its recovery class. */
export class OutsideEffect {
  /** Set once the provider has answered. */
  result: { readonly value: unknown } | undefined
  private verdict: Verdict | undefined
  private mark: EffectMark | undefined
  private isStarted: boolean
  private answeredTo: Attempt | undefined
  /** Requests that have not come back: while there is one, "absent" proves nothing. */
  private underWay = 0
  private recovery: Recovery = { kind: 'none' }
  private failure: ToolError | undefined
  private tainted: boolean
  private usedBy: Attempt | undefined
  private readonly fence: Fence
  private readonly call: Call
  private readonly row: CallRow
  private readonly parts: PipelineContext

  constructor(call: Call, row: CallRow, parts: PipelineContext) {
    this.call = call
    this.row = row
    this.parts = parts
    this.fence = { tenant: row.tenant, callId: row.callId, fence: row.fence }
    // somebody died with this effect under way
    this.tainted = row.effect !== undefined
    this.mark = row.effect
    this.isStarted = row.effect !== undefined
    if (row.effect !== undefined) this.recovery = this.recoveryOf(row.effect)
  }

  /** Nothing can be found out about it: don't even run. */
  get isLost(): boolean {
    return this.tainted && this.recovery.kind === 'none'
  }

  async execute(attempt: Attempt, work: Extract<Work, { kind: 'execute' }>): Promise<unknown> {
    this.verdict = undefined
    this.failure = undefined
    // a write whose ports declare no effect makes it somewhere in execute: all of it is the effect
    if (this.call.tool.contract.isWrite && !this.call.tool.hasEffectPorts)
      await this.start(attempt, BARE)
    const raw = await work.execute(
      new CallExecution(this.call, this.parts, attempt, {
        ports: this.guardedPorts(attempt),
        idempotencyKey: this.row.providerKey,
      }),
    )
    if (this.mark === BARE) this.result = { value: raw }
    // a tool that swallows its provider's failure must not turn it into a success
    if (this.failure !== undefined && this.result === undefined) throw this.failure
    if (this.tainted && this.result === undefined)
      throw this.diverged('did not come back to the effect it had started')
    return raw
  }

  /** What an attempt's failure means for the effect. */
  judge(thrown: unknown): Verdict {
    if (this.verdict !== undefined) return this.verdict
    if (!this.isStarted) return 'nothing'
    // an answer that came late, to an attempt before: the next one is given it
    if (this.result !== undefined)
      return this.mark === BARE || this.answeredTo === this.usedBy ? 'done' : 'look'
    const error = toToolError(thrown)
    const trace = traceOf(this.failure ?? error)
    if (trace === 'none' && !this.tainted) return 'nothing'
    if (trace === 'refused' && (!this.tainted || this.recovery.kind === 'sameKey')) return 'refused'
    this.tainted = true
    switch (this.recovery.kind) {
      case 'sameKey':
        return 'again'
      case 'lookUp':
        return 'look'
      case 'none':
        return 'unknown'
    }
  }

  private guardedPorts(attempt: Attempt): object {
    const providers = this.parts.providers.of(this.call.tool)
    if (!this.call.tool.hasEffectPorts) return providers
    const ports: Record<string, object> = { ...providers }
    for (const [alias, port] of this.call.tool.ports) {
      if (!port.hasEffects) continue
      const guarded: Record<string, Method> = { ...providers[alias] }
      for (const [method, recovery] of port.methods) {
        if (recovery !== 'read')
          guarded[method] = (args, signal) =>
            this.make({ attempt, port, method, recovery, args, signal: signal ?? attempt.signal })
      }
      ports[alias] = guarded
    }
    return ports
  }

  private async make(step: EffectStep): Promise<unknown> {
    if (step.attempt.ended) throw cancelled(this.call)
    if (this.usedBy === step.attempt)
      throw new ToolError(
        'TOOL_INTERNAL_ERROR',
        `${this.call.tool.id} makes a second outside effect in one call; compose it from steps.`,
      )
    this.usedBy = step.attempt
    const mark = {
      port: step.port.name,
      method: step.method,
      argsHash: hashJson(step.args ?? null),
    }
    if (this.tainted && !sameMark(mark, this.mark))
      throw this.diverged('asks for another effect than the one it had started')
    this.recovery = step.recovery
    const found = this.result ?? (this.tainted ? await this.recover(step) : undefined)
    if (found === undefined) {
      await this.start(step.attempt, mark)
      await this.send(step)
    }
    this.answeredTo = step.attempt
    return this.result?.value
  }

  private async send(step: EffectStep): Promise<void> {
    this.underWay++
    try {
      this.result = {
        value: await this.parts.providers.method(step.port.name, step.method)(
          step.args,
          step.signal,
        ),
      }
    } catch (thrown) {
      const failure = toToolError(thrown)
      // a failure that comes late says nothing about the attempt that runs now
      if (this.usedBy === step.attempt) this.failure = failure
      throw failure
    } finally {
      this.underWay--
    }
  }

  // durable before the first byte leaves; a lost fence or an ended attempt sends nothing
  private async start(attempt: Attempt, mark: EffectMark): Promise<void> {
    const askedAt = this.moment()
    const ours = await this.parts.stores.calls.startEffect(
      this.fence,
      mark,
      intentEntry(this.call, this.parts),
    )
    if (!ours)
      throw this.settle(
        'zombie',
        new ToolError('TOOL_ALREADY_RUNNING', `${this.call.tool.id} is in other hands.`),
      )
    if (attempt.ended) throw cancelled(this.call)
    // a process that stood still here may wake when a successor has looked, found nothing and sent it: what is late is not sent
    if (this.hasStoodStill(askedAt)) throw stoodStill(this.call)
    attempt.committed = true
    this.mark = mark
    this.isStarted = true
  }

  private moment(): Moment {
    return { ticks: this.parts.clock.ticks(), now: this.parts.clock.now() }
  }

  // by both clocks: one of them stands still with a machine that sleeps
  private hasStoodStill(since: Moment): boolean {
    const { ticks, now } = this.moment()
    return Math.max(ticks - since.ticks, now - since.now) > this.parts.leaseMs / 2
  }

  /** The effect may have happened: what the provider says of it, or undefined when it may be driven again. */
  private async recover(step: EffectStep): Promise<{ readonly value: unknown } | undefined> {
    switch (step.recovery.kind) {
      case 'sameKey':
        if ((await this.ageMs('startedAt')) < step.recovery.validForMs) return undefined
        throw this.settle(
          'unknown',
          new ToolError('TOOL_OUTCOME_UNKNOWN', 'The provider no longer knows our key.'),
        )
      case 'lookUp':
        return this.lookUp(step, step.recovery)
      case 'none':
        throw this.settle(
          'unknown',
          new ToolError('TOOL_OUTCOME_UNKNOWN', 'The provider can not be asked.'),
        )
    }
  }

  private async lookUp(
    step: EffectStep,
    recovery: Extract<Recovery, { kind: 'lookUp' }>,
  ): Promise<{ readonly value: unknown } | undefined> {
    const found = await this.ask(step, recovery.method)
    if (found !== undefined) return found
    if (recovery.settleMs === undefined || this.underWay > 0)
      throw this.settle(
        'unknown',
        new ToolError(
          'TOOL_OUTCOME_UNKNOWN',
          'The provider does not know of it, but it may still be under way.',
        ),
      )
    // a request may still be on its way for as long as the port declares: only then is "absent" an answer
    const waitMs = recovery.settleMs - (await this.ageMs('lastStartedAt'))
    if (waitMs <= 0) return this.absent()
    if (this.parts.clock.ticks() + waitMs >= this.call.deadlineTicks)
      throw this.settle(
        'later',
        new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'It can not be told yet whether it happened.'),
      )
    await sleep(this.parts.clock, waitMs, step.signal)
    // asked anew, and by the store's clock: ours may have run too fast
    return this.lookUp(step, recovery)
  }

  /** How long ago it left, on the store's clock. */
  private async ageMs(since: 'startedAt' | 'lastStartedAt'): Promise<number> {
    const row = await this.parts.stores.calls.get(this.row.tenant, this.row.callId)
    if (row?.effect === undefined || row.fence !== this.row.fence)
      throw this.settle(
        'zombie',
        new ToolError('TOOL_ALREADY_RUNNING', `${this.call.tool.id} is in other hands.`),
      )
    return row.readAt - row.effect[since]
  }

  // it did not happen and can't any more: what is sent now is sent for the first time
  private absent(): undefined {
    this.tainted = false
    this.isStarted = false
    return undefined
  }

  private async ask(
    step: EffectStep,
    method: string,
  ): Promise<{ readonly value: unknown } | undefined> {
    try {
      const value = await this.parts.providers.method(step.port.name, method)(
        { idempotencyKey: this.row.providerKey, args: step.args },
        step.signal,
      )
      // an attempt that has been answered for touches nothing: another may be under way by now
      if (step.attempt.ended) throw cancelled(this.call)
      if (value === null || value === undefined) return undefined
      this.result = { value }
      return this.result
    } catch (thrown) {
      throw step.attempt.ended ? cancelled(this.call) : this.settle('later', toToolError(thrown))
    }
  }

  // remembered beside being thrown: the tool's own code may catch what is thrown
  private settle(verdict: Verdict, error: ToolError): ToolError {
    this.verdict = verdict
    this.failure = error
    return error
  }

  private diverged(what: string): ToolError {
    return this.settle(
      'unknown',
      new ToolError('TOOL_RUN_DIVERGED', `${this.call.tool.id} ${what}.`, {
        details: { call_id: this.row.callId },
      }),
    )
  }

  private recoveryOf(mark: EffectMark): Recovery {
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

function stoodStill(call: Call): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `${call.tool.id} was held up for so long that it was not sent.`,
    { effect: 'none' },
  )
}

function sameMark(left: EffectMark, right: EffectMark | undefined): boolean {
  return (
    left.port === right?.port && left.method === right.method && left.argsHash === right.argsHash
  )
}
