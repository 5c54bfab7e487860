import type { Call } from '../call/call.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Attempt } from '../pipeline/attempt.ts'
import { fenceOf } from '../pipeline/finish-call.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import type { CallRow } from '../ports/calls.ts'
import type { JournalEntry, Parking } from '../ports/runs.ts'
import { nextTurn } from '../ports/turn.ts'
import type { Journal } from './journal.ts'
import type { Told } from './told.ts'

/** Why a drive ended before its code did. */
export type Stop =
  /** Everything it could do is done; the rest waits for others. */
  | { readonly kind: 'waits' }
  /** The row is another's. */
  | { readonly kind: 'lost' }
  /** Somebody wants the run to stop. */
  | { readonly kind: 'cancelled' }
  /** The code does something else than the journal says. */
  | { readonly kind: 'diverged'; readonly error: ToolError }
  /** Our own house is in trouble: nothing is told, it is driven again later. */
  | { readonly kind: 'broken'; readonly error: ToolError }

/** `forward`: does what the code asks for. `replay`: only finds out what became of what was begun. `back`: takes it back. */
export type DriveMode = 'forward' | 'replay' | 'back'

// a moment after its time, so that whoever looks finds it over
const LATER_MS = 1_000

/** One drive of a run through its journal: counts what is under way, and knows when nothing is. */
export class Drive {
  readonly call: Call
  readonly row: CallRow
  readonly parts: PipelineContext
  readonly journal: Journal
  readonly attempt: Attempt
  readonly mode: DriveMode
  private readonly claimedTicks: number
  private readonly calls = new Set<string>()
  private readonly questions = new Set<string>()
  private wakeInMs: number | undefined
  private underWay = 0
  private stop: Stop | undefined
  private onStop: ((stop: Stop) => void) | undefined
  private onIdle: (() => void)[] = []
  private readonly calledOff = new AbortController()

  constructor(given: {
    call: Call
    row: CallRow
    parts: PipelineContext
    journal: Journal
    attempt: Attempt
    mode: DriveMode
    claimedTicks: number
  }) {
    this.call = given.call
    this.row = given.row
    this.parts = given.parts
    this.journal = given.journal
    this.attempt = given.attempt
    this.mode = given.mode
    this.claimedTicks = given.claimedTicks
  }

  /** Of the attempt, and of whoever calls the run off. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.attempt.signal, this.calledOff.signal])
  }

  /** Is there something it waits for? */
  get isWaiting(): boolean {
    return this.calls.size + this.questions.size > 0
  }

  get isOver(): boolean {
    return this.stop !== undefined || this.attempt.ended
  }

  /** Comes when the drive ends though its code has not. */
  stopped(): Promise<Stop> {
    return new Promise((resolve) => {
      if (this.stop === undefined) this.onStop = resolve
      else resolve(this.stop)
    })
  }

  end(stop: Stop): void {
    if (this.stop !== undefined) return
    this.stop = stop
    if (stop.kind === 'cancelled') this.calledOff.abort()
    this.onStop?.(stop)
  }

  /** Waits until what is under way has come back: what it did is then in the journal. */
  async idle(): Promise<void> {
    if (this.underWay > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve))
  }

  /** An operation of the code. Nothing that waits, and nothing after the drive's end, is ever told: the code can't take it for an answer. */
  operate<T>(work: () => Promise<Told>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.isOver) return
      this.underWay++
      work()
        .then(
          (told) => {
            if (this.isOver || told.kind === 'waits') return
            if (told.kind === 'value') resolve(told.value as T)
            else reject(told.error)
          },
          (thrown) => this.end({ kind: 'broken', error: toToolError(thrown) }),
        )
        .finally(() => this.cameBack())
    })
  }

  /** `until`, in the store's time: then it looks again, though nothing woke it. */
  waitFor(what: {
    readonly call?: string
    readonly question?: string
    readonly until?: number | undefined
  }): void {
    if (what.call !== undefined) this.calls.add(what.call)
    if (what.question !== undefined) this.questions.add(what.question)
    if (what.until === undefined) return
    const storeNow = this.row.readAt + this.parts.clock.ticks() - this.claimedTicks
    const leftMs = Math.max(0, what.until - storeNow) + LATER_MS
    this.wakeInMs = Math.min(this.wakeInMs ?? Number.POSITIVE_INFINITY, leftMs)
  }

  parking(spentMs: number): Parking {
    return {
      calls: [...this.calls],
      questions: [...this.questions],
      wakeInMs: this.wakeInMs,
      spentMs,
      isStopHeard: this.mode !== 'forward',
    }
  }

  /** Writes down what is to be, before anything is done that depends on it; false when the drive is over. */
  async flushed(): Promise<boolean> {
    switch (await this.journal.flush()) {
      case 'lost':
        this.end({ kind: 'lost' })
        return false
      case 'cancelled':
        if (this.mode === 'forward') this.end({ kind: 'cancelled' })
        return !this.isOver
      case 'written':
        return !this.isOver
    }
  }

  diverge(path: string, found: JournalEntry, asked: string): Told {
    const was = found.what === 'step' ? found.tool : found.what
    const message = `${this.call.tool.id} comes to "${path}" with ${asked}, where its journal says ${was} with another input or another thing altogether.`
    const error = new ToolError('TOOL_RUN_DIVERGED', message, {
      details: { call_id: this.row.callId, step: path, journal: was, asked },
      suggestions: [
        'Look at the run and at what changed in the tool since it began; then settle the call with what you found.',
      ],
    })
    this.end({ kind: 'diverged', error })
    return { kind: 'waits' }
  }

  fence(): ReturnType<typeof fenceOf> {
    return fenceOf(this.row)
  }

  private cameBack(): void {
    this.underWay--
    if (this.underWay > 0) return
    for (const idle of this.onIdle.splice(0)) idle()
    void this.rest()
  }

  /** Ends the drive if nothing is under way: code that was just told something comes to its next operation within the turn. */
  async rest(): Promise<void> {
    await nextTurn()
    if (this.underWay === 0 && (this.mode === 'replay' || this.isWaiting))
      this.end({ kind: 'waits' })
  }
}
