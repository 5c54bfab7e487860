import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Work } from '../define/tool.ts'
import type { CallRow } from '../ports/calls.ts'
import type { JournalAnswer, JournalEntry } from '../ports/runs.ts'
import { Branch } from '../runs/branch.ts'
import { Drive, type DriveMode, type Stop } from '../runs/drive.ts'
import { Journal } from '../runs/journal.ts'
import { withProgress } from '../runs/progress.ts'
import { settleLeft } from '../runs/step.ts'
import { hasDone, type TakenBack, takeBack } from '../runs/take-back.ts'
import { errorAnswer, errorOf, valueAnswer } from '../runs/told.ts'
import { parkedAnswer } from '../runs/waiting.ts'
import { type Attempt, attempt, cancelled } from './attempt.ts'
import { end, giveUp, keep, leaveUnsettled, storedFailure, zombie } from './endings.ts'
import { fenceOf } from './finish-call.ts'
import { keepLease } from './lease.ts'
import type { PipelineContext } from './parts.ts'
import { callBudgetMs } from './retry.ts'
import { scrub } from './scrub.ts'
import { takeCall } from './take-call.ts'
import { watchForStop } from './watch-for-stop.ts'

type RunWork = Extract<Work, { kind: 'run' }>

/** A tool that asks or calls others: driven through its journal until it ends or waits. It makes no effect of its own. */
export async function performRun(call: Call, work: RunWork, parts: PipelineContext): Promise<Answer> {
  const taken = await takeCall(call, parts)
  if ('answer' in taken) return taken.answer
  const driving = driveRun(call, taken.row, work, parts)
  // a step's time is its run's; anybody else's patience is their own, and the run goes on without them
  const isHasty =
    call.parentId === undefined &&
    call.deadlineTicks < call.startedTicks + callBudgetMs(call.tool.contract)
  if (!isHasty) return driving
  driving.catch(() => undefined)
  return new Promise((resolve, reject) => {
    const cancel = parts.clock.after(Math.max(0, call.deadlineTicks - parts.clock.ticks()), () =>
      resolve({ status: 'accepted', jobId: call.id }),
    )
    driving.then(resolve, reject).finally(cancel)
  })
}

async function driveRun(call: Call, row: CallRow, work: RunWork, parts: PipelineContext): Promise<Answer> {
  const lease = keepLease(fenceOf(row), parts)
  const told = withProgress(call, row, parts)
  try {
    return await new RunHand(told, row, work, parts).drive()
  } catch (thrown) {
    // our own house is in trouble: what was begun is driven on by whoever finds it
    return await leaveUnsettled(row, toToolError(thrown), parts)
  } finally {
    lease.stop()
    await told.flush()
  }
}

/** How a drive of the code came out. */
type Driven =
  | Stop
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: ToolError }

/** What ends a drive without an end of the run. */
type Left = Exclude<Stop, { kind: 'cancelled' }> & { readonly drive: Drive | undefined }

// no step can have this id
const END = '~end'

class RunHand {
  private readonly call: Call
  private readonly row: CallRow
  private readonly work: RunWork
  private readonly parts: PipelineContext
  private readonly startedTicks: number
  private readonly tellProgress: () => Promise<void>
  private isToStop: boolean

  constructor(
    { call, flush }: ReturnType<typeof withProgress>,
    row: CallRow,
    work: RunWork,
    parts: PipelineContext,
  ) {
    this.tellProgress = flush
    this.startedTicks = parts.clock.ticks()
    // what it has worked before counts; what it waited does not
    const ownTicks = this.startedTicks + Math.max(1, call.tool.contract.timeoutMs - row.spentMs)
    this.call = {
      ...call,
      deadlineTicks:
        call.parentId === undefined ? ownTicks : Math.min(call.deadlineTicks, ownTicks),
    }
    this.row = row
    this.isToStop = row.isToStop
    this.work = work
    this.parts = parts
  }

  async drive(): Promise<Answer> {
    for (;;) {
      const answer = await this.once()
      if (answer !== 'again') return answer
    }
  }

  private async once(): Promise<Answer | 'again'> {
    const entries = await this.parts.stores.runs.journal(this.row.tenant, this.row.callId)
    const journal = this.journalOf(entries)
    const ended = journal.at(END)?.answer
    if (ended?.kind === 'error') return this.finishFailed(errorOf(ended), journal)
    if (ended?.kind === 'value') return this.finishDone(JSON.parse(ended.json), journal)
    if (this.isToStop) return this.fail(this.stopped(), journal)
    // what has written goes on though its caller has left
    const hasBegun = entries.some(({ what, isWrite }) => what === 'step' && isWrite)
    const driven = await this.run(
      journal,
      'forward',
      hasBegun ? { ...this.call, signal: undefined } : this.call,
    )
    switch (driven.kind) {
      case 'returned':
        if (journal.open().length > 0) journal.put(this.endEntry(valueAnswer(driven.value)))
        if ((await journal.flush()) === 'lost')
          return zombie(this.call, this.row, undefined, this.parts)
        return this.finishDone(driven.value, journal)
      case 'threw':
        return this.fail(driven.error, journal)
      case 'cancelled':
        return this.fail(this.stopped(), journal)
      default:
        return this.leave(driven)
    }
  }

  // what a branch left behind is called off, or comes to its end, before anybody hears that all is done
  private async finishDone(value: unknown, journal: Journal): Promise<Answer | 'again'> {
    const open = await this.settleBegun(journal, this.withTimeOfItsOwn())
    if (open !== undefined) return this.leave(open)
    await this.parts.stores.runs.closeQuestions(this.row.tenant, this.row.callId)
    return keep(this.call, this.row, value, this.parts)
  }

  private withTimeOfItsOwn(): Call {
    return {
      ...this.call,
      signal: undefined,
      deadlineTicks: this.parts.clock.ticks() + this.call.tool.contract.timeoutMs,
    }
  }

  /** Runs the code once through its journal. */
  private async run(
    journal: Journal,
    mode: DriveMode,
    call: Call,
  ): Promise<Driven & { readonly drive: Drive | undefined }> {
    let drive: Drive | undefined
    const watch =
      mode === 'forward'
        ? watchForStop(this.row, this.parts, () => drive?.end({ kind: 'cancelled' }))
        : undefined
    const go = (current: Attempt): Promise<Driven> => {
      drive = new Drive({
        call,
        row: this.row,
        parts: this.parts,
        journal,
        attempt: current,
        mode,
        claimedTicks: this.startedTicks,
      })
      // its failure is known: what other branches had begun behind steps that were told is found before it counts
      if (mode === 'replay') {
        void this.execute(drive).then(() => drive?.rest())
        return drive.stopped()
      }
      return Promise.race([this.execute(drive), drive.stopped()])
    }
    let driven: Driven
    try {
      driven = await attempt(call, this.parts, go)
    } catch (thrown) {
      driven = { kind: 'threw', error: toToolError(thrown) }
    }
    watch?.stop()
    if (driven.kind === 'cancelled') await this.stopSteps(journal)
    // what is under way comes home, so that it is known when it has to be taken back
    await drive?.idle()
    return { ...driven, drive }
  }

  /** Whoever calls off a run calls off what it has under way. */
  private async stopSteps(journal: Journal): Promise<void> {
    const { calls, runs } = this.parts.stores
    for (const { child } of journal.open()) {
      if (!(await calls.cancel(this.row.tenant, child)))
        await runs.askToStop(this.row.tenant, child)
    }
  }

  private async execute(drive: Drive): Promise<Driven> {
    try {
      return { kind: 'returned', value: await this.work.execute(new Branch(drive) as never) }
    } catch (thrown) {
      return { kind: 'threw', error: scrub(toToolError(thrown), this.call) }
    }
  }

  // written down before anything is taken back: whoever drives it on goes on with that
  private async fail(error: ToolError, journal: Journal): Promise<Answer | 'again'> {
    journal.put(this.endEntry(errorAnswer(error)))
    if ((await journal.flush()) === 'lost')
      return zombie(this.call, this.row, undefined, this.parts)
    await this.parts.stores.runs.closeQuestions(this.row.tenant, this.row.callId)
    return this.finishFailed(error, journal)
  }

  private async finishFailed(error: ToolError, journal: Journal): Promise<Answer | 'again'> {
    // going back has a time of its own: the run's may be over
    const call = this.withTimeOfItsOwn()
    const open = await this.settleBegun(journal, call)
    if (open !== undefined) return this.leave(open)
    const back = await this.goBack(journal, call)
    if ('kind' in back) return this.leave(back)
    await journal.flush()
    await this.parts.stores.runs.closeQuestions(this.row.tenant, this.row.callId)
    const told = withTakenBack(error, back)
    const isFree = !hasDone(journal.all())
    const state = !isFree ? 'failed' : error.code === 'TOOL_CANCELLED' ? 'cancelled' : 'released'
    return end(this.call, this.row, told, storedFailure(this.row, told, state), this.parts)
  }

  /** Finds out what became of steps that were begun and not told: the code is driven through its journal once more, and begins nothing. */
  private async settleBegun(journal: Journal, call: Call): Promise<Left | undefined> {
    if (journal.open().length === 0) return undefined
    const replayed = this.journalOf(journal.all())
    const found = await this.run(replayed, 'replay', call)
    if (found.kind === 'lost' || found.kind === 'broken' || found.kind === 'diverged') return found
    // what the code did not come to this time is found by its row; how to take it back is not known then
    if (found.drive !== undefined) await settleLeft(found.drive)
    if (found.drive?.isWaiting) return { kind: 'waits', drive: found.drive }
    if ((await replayed.flush()) === 'lost') return { kind: 'lost', drive: found.drive }
    for (const entry of replayed.all()) journal.know(entry)
    return undefined
  }

  private journalOf(entries: readonly JournalEntry[]): Journal {
    return new Journal(entries, (written) =>
      this.parts.stores.runs.write(fenceOf(this.row), written),
    )
  }

  private async goBack(journal: Journal, call: Call): Promise<TakenBack | Left> {
    let drive: Drive | undefined
    try {
      return await attempt(call, this.parts, (current) => {
        current.committed = true
        const going = new Drive({
          call,
          row: this.row,
          parts: this.parts,
          journal,
          attempt: current,
          mode: 'back',
          claimedTicks: this.startedTicks,
        })
        drive = going
        return Promise.race([
          takeBack(going),
          going
            .stopped()
            .then((stop) => ({ ...(stop as Exclude<Stop, { kind: 'cancelled' }>), drive: going })),
        ])
      })
    } catch (thrown) {
      await drive?.idle()
      return { kind: 'broken', error: toToolError(thrown), drive }
    }
  }

  private async leave(driven: Left): Promise<Answer | 'again'> {
    switch (driven.kind) {
      case 'waits':
        return this.park(driven.drive)
      case 'lost':
        return zombie(this.call, this.row, undefined, this.parts)
      case 'diverged':
        await this.parts.stores.runs.closeQuestions(this.row.tenant, this.row.callId)
        return giveUp(this.call, this.row, driven.error, this.parts)
      case 'broken':
        return leaveUnsettled(this.row, driven.error, this.parts)
    }
  }

  private async park(drive: Drive | undefined): Promise<Answer | 'again'> {
    if (drive === undefined || (await drive.journal.flush()) === 'lost')
      return zombie(this.call, this.row, undefined, this.parts)
    // while the row is ours
    await this.tellProgress()
    // at least one: what was parked once has begun
    const spentMs = Math.max(
      1,
      Math.round(this.row.spentMs + this.parts.clock.ticks() - this.startedTicks),
    )
    switch (await this.parts.stores.runs.park(fenceOf(this.row), drive.parking(spentMs))) {
      case 'awake':
        this.isToStop = await this.parts.stores.calls.isToStop(this.row.tenant, this.row.callId)
        return 'again'
      case 'lost':
        return zombie(this.call, this.row, undefined, this.parts)
      case 'parked':
        return parkedAnswer(this.row, this.parts)
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

  private stopped(): ToolError {
    const { message } = cancelled(this.call)
    return new ToolError('TOOL_CANCELLED', message.replace(' before anything happened', ''), {
      details: { call_id: this.row.callId },
    })
  }
}

/** Says what was taken back, and what was not. */
function withTakenBack(error: ToolError, { undone, notUndone }: TakenBack): ToolError {
  if (undone.length + notUndone.length === 0) return error
  const words =
    notUndone.length === 0
      ? 'What it had done is undone.'
      : `Not undone: ${notUndone.map(({ step }) => step).join(', ')}; a person should look.`
  return new ToolError(error.code, `${error.message} ${words}`, {
    details: { ...error.details, undone, not_undone: notUndone },
    ...(error.suggestions === undefined ? {} : { suggestions: error.suggestions }),
    data: error.data,
    cause: error,
  })
}
