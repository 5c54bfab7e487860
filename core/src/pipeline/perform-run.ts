import type { CallRow } from '../call/call-row.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { callBudgetMs } from '../define/normal.ts'
import type { Work } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { watchForStop } from '../ledger/cancel-call.ts'
import { claimCall } from '../ledger/claim-call.ts'
import { cancelledError } from '../ledger/deadline.ts'
import {
  abandonClaim,
  fenceOf,
  finishWithError,
  finishWithOutput,
  markUnknown,
  onClaimLost,
  quarantine,
  toFailureEnding,
} from '../ledger/finish-call.ts'
import { answerParkedRun } from '../ledger/idempotency.ts'
import { keepLease } from '../ledger/leases.ts'
import { isPoisonRun } from '../ledger/poison.ts'
import { storeProgress } from '../ledger/progress.ts'
import { toCallError } from '../ledger/scrub.ts'
import type { JournalAnswer, JournalEntry } from '../ports/runs.ts'
import { Branch } from '../runs/branch.ts'
import { type Compensation, compensate, hasEffects } from '../runs/compensate.ts'
import { Drive, type DriveMode, type Stop } from '../runs/drive.ts'
import { Journal, restoreError, toJournalError, toJournalValue } from '../runs/journal.ts'
import { settleUnvisitedSteps } from '../runs/step.ts'
import { type Attempt, attempt } from './attempt.ts'
import type { PipelineContext } from './context.ts'

type RunWork = Extract<Work, { kind: 'run' }>

/**
 * Executes a run, a tool that asks questions or calls other tools: replays its journal until it
 * ends or waits. It has no effect of its own.
 */
export async function performRun(
  call: Call,
  work: RunWork,
  context: PipelineContext,
): Promise<Answer> {
  const claimed = await claimCall(call, context)
  if ('answer' in claimed) return claimed.answer
  const driving = driveRun(call, claimed.row, work, context)
  // A step has the time of its run. Any other caller may wait for less, and the run goes on without
  // it.
  const hasShortDeadline =
    call.parentId === undefined &&
    call.deadlineTicks < call.startedTicks + callBudgetMs(call.tool.contract)
  if (!hasShortDeadline) return driving
  driving.catch(() => undefined)
  return new Promise((resolve, reject) => {
    const cancel = context.clock.after(
      Math.max(0, call.deadlineTicks - context.clock.ticks()),
      () => resolve({ status: 'accepted', jobId: call.id }),
    )
    driving.then(resolve, reject).finally(cancel)
  })
}

async function driveRun(
  call: Call,
  row: CallRow,
  work: RunWork,
  context: PipelineContext,
): Promise<Answer> {
  const release = context.leases.hold(row)
  const lease = keepLease(row, context)
  const progress = storeProgress(call, row, context)
  const driver = new RunDriver(progress, row, work, context)
  try {
    if (await isPoisonRun(row, context)) return await quarantine(call, row, context)
    const answer = await driver.drive()
    if (answer !== 'lost') return answer
  } catch (thrown) {
    // A failure of our own, such as the store: the run is continued by a recovery.
    return await abandonClaim(row, toCallError(thrown, call, context), context)
  } finally {
    lease.stop()
    await progress.flush()
    release()
  }
  // After the release: a caller that waits for the row while its lease is renewed here would wait
  // for itself.
  return onClaimLost(driver.call, row, undefined, context)
}

/** How one drive of the code ended. */
type Driven =
  | Stop
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: ToolError }

/** Why a drive ended although the run has not. */
type Unfinished = Exclude<Stop, { kind: 'cancelled' }> & { readonly drive: Drive | undefined }

// The id of a step cannot begin with `~`.
const END = '~end'

/** Drives the code of a run through its journal until the run ends or waits. */
class RunDriver {
  readonly call: Call
  private readonly row: CallRow
  private readonly work: RunWork
  private readonly context: PipelineContext
  private readonly startedTicks: number
  private readonly flushProgress: () => Promise<void>
  private isToStop: boolean

  constructor(
    { call, flush }: ReturnType<typeof storeProgress>,
    row: CallRow,
    work: RunWork,
    context: PipelineContext,
  ) {
    this.flushProgress = flush
    this.startedTicks = context.clock.ticks()
    // The time it worked before counts; the time it waited does not.
    const ownTicks = this.startedTicks + Math.max(1, call.tool.contract.timeoutMs - row.spentMs)
    this.call = {
      ...call,
      deadlineTicks:
        call.parentId === undefined ? ownTicks : Math.min(call.deadlineTicks, ownTicks),
    }
    this.row = row
    this.isToStop = row.isToStop
    this.work = work
    this.context = context
  }

  /** `lost`: another process holds the row, or the lease has expired. */
  async drive(): Promise<Answer | 'lost'> {
    for (;;) {
      const answer = await this.driveOnce()
      if (answer !== 'again') return answer
    }
  }

  private async driveOnce(): Promise<Answer | 'again' | 'lost'> {
    const entries = await this.context.stores.runs.journal(this.row.tenant, this.row.callId)
    const journal = this.openJournal(entries)
    const end = journal.at(END)?.answer
    if (end?.kind === 'error') return this.finishFailed(restoreError(end), journal)
    if (end?.kind === 'value') return this.finishDone(JSON.parse(end.json), journal)
    if (this.isToStop) return this.fail(this.stoppedError(), journal)
    // A run that has written something goes on when its caller disconnects.
    const hasBegun = entries.some(({ what, isWrite }) => what === 'step' && isWrite)
    const driven = await this.runCode(
      journal,
      'forward',
      hasBegun ? { ...this.call, signal: undefined } : this.call,
    )
    switch (driven.kind) {
      case 'returned':
        if (journal.open().length > 0) journal.put(this.endEntry(toJournalValue(driven.value)))
        if ((await journal.flush()) === 'lost') return 'lost'
        return this.finishDone(driven.value, journal)
      case 'threw':
        return this.fail(driven.error, journal)
      case 'cancelled':
        return this.fail(this.stoppedError(), journal)
      default:
        return this.onUnfinished(driven)
    }
  }

  // Steps that a branch left open are cancelled, or awaited, before the run is reported as done.
  private async finishDone(value: unknown, journal: Journal): Promise<Answer | 'again' | 'lost'> {
    const open = await this.settleOpenSteps(journal, this.withFreshDeadline())
    if (open !== undefined) return this.onUnfinished(open)
    await this.context.stores.runs.closeQuestions(this.row.tenant, this.row.callId)
    return finishWithOutput(this.call, this.row, value, this.context)
  }

  private withFreshDeadline(): Call {
    return {
      ...this.call,
      signal: undefined,
      deadlineTicks: this.context.clock.ticks() + this.call.tool.contract.timeoutMs,
    }
  }

  /** Runs the code once, replaying its journal. */
  private async runCode(
    journal: Journal,
    mode: DriveMode,
    call: Call,
  ): Promise<Driven & { readonly drive: Drive | undefined }> {
    let drive: Drive | undefined
    const watch =
      mode === 'forward'
        ? watchForStop(this.row, this.context, () => drive?.end({ kind: 'cancelled' }))
        : undefined
    const start = (current: Attempt): Promise<Driven> => {
      drive = new Drive({
        call,
        row: this.row,
        context: this.context,
        journal,
        attempt: current,
        mode,
        claimedTicks: this.startedTicks,
      })
      // The run has failed. This replay finds the steps that other branches had begun.
      if (mode === 'replay') {
        void this.execute(drive).then(() => drive?.rest())
        return drive.stopped()
      }
      return Promise.race([this.execute(drive), drive.stopped()])
    }
    let driven: Driven
    try {
      driven = await attempt(call, this.context, start)
    } catch (thrown) {
      driven = { kind: 'threw', error: toCallError(thrown, call, this.context) }
    }
    watch?.stop()
    if (driven.kind === 'cancelled') await this.stopSteps(journal)
    // Steps under way are awaited, so that they can be compensated.
    await drive?.idle()
    return { ...driven, drive }
  }

  /** Cancelling a run cancels its steps under way. */
  private async stopSteps(journal: Journal): Promise<void> {
    const { calls, runs } = this.context.stores
    for (const { child } of journal.open()) {
      if (!(await calls.cancel(this.row.tenant, child)))
        await runs.askToStop(this.row.tenant, child)
    }
  }

  private async execute(drive: Drive): Promise<Driven> {
    try {
      return { kind: 'returned', value: await this.work.execute(new Branch(drive) as never) }
    } catch (thrown) {
      return { kind: 'threw', error: toCallError(thrown, this.call, this.context) }
    }
  }

  // The failure is stored before anything is compensated, so that a recovery continues the
  // compensation.
  private async fail(error: ToolError, journal: Journal): Promise<Answer | 'again' | 'lost'> {
    journal.put(this.endEntry(toJournalError(error)))
    if ((await journal.flush()) === 'lost') return 'lost'
    await this.context.stores.runs.closeQuestions(this.row.tenant, this.row.callId)
    return this.finishFailed(error, journal)
  }

  private async finishFailed(
    error: ToolError,
    journal: Journal,
  ): Promise<Answer | 'again' | 'lost'> {
    // Compensation has a deadline of its own: the run's may have passed.
    const call = this.withFreshDeadline()
    const open = await this.settleOpenSteps(journal, call)
    if (open !== undefined) return this.onUnfinished(open)
    const compensation = await this.compensateSteps(journal, call)
    if ('kind' in compensation) return this.onUnfinished(compensation)
    await journal.flush()
    await this.context.stores.runs.closeQuestions(this.row.tenant, this.row.callId)
    const reported = withCompensation(error, compensation)
    const released = error.code === 'TOOL_CANCELLED' ? 'cancelled' : 'released'
    const state = hasEffects(journal.all()) ? 'failed' : released
    const ending = toFailureEnding(this.row, reported, state)
    return finishWithError(this.call, this.row, reported, ending, this.context)
  }

  /**
   * Finds out how steps ended that were begun without a recorded answer: the code is replayed once
   * more and begins nothing new.
   */
  private async settleOpenSteps(journal: Journal, call: Call): Promise<Unfinished | undefined> {
    if (journal.open().length === 0) return undefined
    const replayed = this.openJournal(journal.all())
    const found = await this.runCode(replayed, 'replay', call)
    if (found.kind === 'lost' || found.kind === 'broken' || found.kind === 'diverged') return found
    // Steps that the code did not reach this time are settled by their rows; how to compensate them
    // is not known.
    if (found.drive !== undefined) await settleUnvisitedSteps(found.drive)
    if (found.drive?.isWaiting) return { kind: 'waits', drive: found.drive }
    if ((await replayed.flush()) === 'lost') return { kind: 'lost', drive: found.drive }
    for (const entry of replayed.all()) journal.addWritten(entry)
    return undefined
  }

  private openJournal(entries: readonly JournalEntry[]): Journal {
    return new Journal(entries, (written) =>
      this.context.stores.runs.write(fenceOf(this.row), written),
    )
  }

  private async compensateSteps(journal: Journal, call: Call): Promise<Compensation | Unfinished> {
    let drive: Drive | undefined
    try {
      return await attempt(call, this.context, (current) => {
        current.committed = true
        const compensating = new Drive({
          call,
          row: this.row,
          context: this.context,
          journal,
          attempt: current,
          mode: 'compensate',
          claimedTicks: this.startedTicks,
        })
        drive = compensating
        return Promise.race([
          compensate(compensating),
          compensating.stopped().then((stop) => ({
            ...(stop as Exclude<Stop, { kind: 'cancelled' }>),
            drive: compensating,
          })),
        ])
      })
    } catch (thrown) {
      await drive?.idle()
      return { kind: 'broken', error: toCallError(thrown, call, this.context), drive }
    }
  }

  private async onUnfinished(driven: Unfinished): Promise<Answer | 'again' | 'lost'> {
    switch (driven.kind) {
      case 'waits':
        return this.park(driven.drive)
      case 'lost':
        return 'lost'
      case 'diverged':
        await this.context.stores.runs.closeQuestions(this.row.tenant, this.row.callId)
        return markUnknown(this.call, this.row, driven.error, this.context)
      case 'broken':
        return abandonClaim(
          this.row,
          toCallError(driven.error, this.call, this.context),
          this.context,
        )
    }
  }

  private async park(drive: Drive | undefined): Promise<Answer | 'again' | 'lost'> {
    if (drive === undefined || (await drive.journal.flush()) === 'lost') return 'lost'
    // Written while this process still holds the row.
    await this.flushProgress()
    // At least 1: a run that was parked has begun.
    const spentMs = Math.max(
      1,
      Math.round(this.row.spentMs + this.context.clock.ticks() - this.startedTicks),
    )
    switch (await this.context.stores.runs.park(fenceOf(this.row), drive.parking(spentMs))) {
      case 'awake':
        this.isToStop = await this.context.stores.calls.isToStop(this.row.tenant, this.row.callId)
        return 'again'
      case 'lost':
        return 'lost'
      case 'parked':
        return answerParkedRun(this.row, this.context)
    }
  }

  private endEntry(answer: JournalAnswer): JournalEntry {
    const { isSecret } = this.row
    return {
      path: END,
      what: 'end',
      tool: '',
      inputHash: '',
      child: '',
      isWrite: false,
      isSecret,
      answer,
      undo: undefined,
    }
  }

  private stoppedError(): ToolError {
    const { message } = cancelledError(this.call)
    return new ToolError('TOOL_CANCELLED', message.replace(' before anything happened', ''), {
      details: { call_id: this.row.callId },
    })
  }
}

/** Adds to an error what was compensated and what was not. */
function withCompensation(error: ToolError, { undone, notUndone }: Compensation): ToolError {
  if (undone.length + notUndone.length === 0) return error
  const summary =
    notUndone.length === 0
      ? 'Its completed steps were undone.'
      : `Not undone: ${notUndone.map(({ step }) => step).join(', ')}; a person should check these.`
  return new ToolError(error.code, `${error.message} ${summary}`, {
    details: { ...error.details, undone, not_undone: notUndone },
    ...(error.suggestions === undefined ? {} : { suggestions: error.suggestions }),
    data: error.data,
    cause: error,
  })
}
