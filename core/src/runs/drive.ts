import type { CallRow } from '../call/call-row.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Call } from '../ledger/call.ts'
import type { LedgerContext } from '../ledger/context.ts'
import { fenceOf } from '../ledger/finish-call.ts'
import type { JournalEntry, Parking } from '../ports/runs.ts'
import type { Journal, OperationResult } from './journal.ts'

/** Why a drive ended before its code did. */
export type Stop =
  /** Everything that can be done now is done; the rest waits for other calls or for people. */
  | { readonly kind: 'waits' }
  /** Another process holds the row. */
  | { readonly kind: 'lost' }
  /** The run was cancelled. */
  | { readonly kind: 'cancelled' }
  /** The code does something else than its journal says. */
  | { readonly kind: 'diverged'; readonly error: ToolError }
  /** A failure of our own, such as the store: the run is driven again later. */
  | { readonly kind: 'broken'; readonly error: ToolError }

/**
 * `forward`: executes what the code asks for. `replay`: only finds out how begun steps ended.
 * `compensate`: undoes completed steps.
 */
export type DriveMode = 'forward' | 'replay' | 'compensate'

/** The pipeline's attempt that a drive belongs to. */
type DriveAttempt = {
  readonly signal: AbortSignal
  readonly ended: boolean
  /** Set once a write has begun: the run is no longer cancelled when its caller disconnects. */
  committed: boolean
}

// Woken a moment after the expiry, so that the store already reports it as expired.
const AFTER_EXPIRY_MS = 1_000

/**
 * One drive of a run's code through its journal. It counts the operations under way, to know when
 * none is left.
 */
export class Drive {
  readonly call: Call
  readonly row: CallRow
  readonly context: LedgerContext
  readonly journal: Journal
  readonly attempt: DriveAttempt
  readonly mode: DriveMode
  private readonly claimedTicks: number
  private readonly calls = new Set<string>()
  private readonly questions = new Set<string>()
  private wakeInMs: number | undefined
  private operations = 0
  private stop: Stop | undefined
  private onStop: ((stop: Stop) => void) | undefined
  private onIdle: (() => void)[] = []
  private readonly cancellation = new AbortController()

  constructor(given: {
    call: Call
    row: CallRow
    context: LedgerContext
    journal: Journal
    attempt: DriveAttempt
    mode: DriveMode
    claimedTicks: number
  }) {
    this.call = given.call
    this.row = given.row
    this.context = given.context
    this.journal = given.journal
    this.attempt = given.attempt
    this.mode = given.mode
    this.claimedTicks = given.claimedTicks
  }

  /** Aborted with the attempt, or when the run is cancelled. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.attempt.signal, this.cancellation.signal])
  }

  /** Does it wait for a call or a question? */
  get isWaiting(): boolean {
    return this.calls.size + this.questions.size > 0
  }

  get isOver(): boolean {
    return this.stop !== undefined || this.attempt.ended
  }

  /** Resolves when the drive ends before its code does. */
  stopped(): Promise<Stop> {
    return new Promise((resolve) => {
      if (this.stop === undefined) this.onStop = resolve
      else resolve(this.stop)
    })
  }

  end(stop: Stop): void {
    if (this.stop !== undefined) return
    this.stop = stop
    if (stop.kind === 'cancelled') this.cancellation.abort()
    this.onStop?.(stop)
  }

  /** Waits until no operation is under way: their answers are then in the journal. */
  async idle(): Promise<void> {
    if (this.operations > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve))
  }

  /**
   * Runs an operation of the code. If it waits, or the drive has ended, its promise never settles.
   */
  operate<T>(work: () => Promise<OperationResult>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.isOver) return
      this.operations++
      work()
        .then(
          (result) => {
            if (this.isOver || result.kind === 'waits') return
            if (result.kind === 'value') resolve(result.value as T)
            else reject(result.error)
          },
          (thrown) => this.end({ kind: 'broken', error: toToolError(thrown) }),
        )
        .finally(() => this.onOperationEnd())
    })
  }

  /**
   * Notes what the run waits for. At `until`, in the store's time, it is driven again even if
   * nothing woke it.
   */
  waitFor(what: {
    readonly call?: string
    readonly question?: string
    readonly until?: number | undefined
  }): void {
    if (what.call !== undefined) this.calls.add(what.call)
    if (what.question !== undefined) this.questions.add(what.question)
    if (what.until === undefined) return
    const storeNow = this.row.readAt + this.context.clock.ticks() - this.claimedTicks
    const leftMs = Math.max(0, what.until - storeNow) + AFTER_EXPIRY_MS
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

  /**
   * Writes the journal before anything is done that depends on it; false when the drive is over.
   */
  async flushJournal(): Promise<boolean> {
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

  /**
   * Whether a step may be begun now. If this process was suspended since `sinceTicks`, another one
   * may have ended the run: only a renewal after that shows that the claim is ours.
   */
  async isStillOurs(sinceTicks: number): Promise<boolean> {
    const { clock, leaseMs, leases, stores } = this.context
    let knownTicks = sinceTicks
    while (clock.ticks() - knownTicks > leaseMs / 2) {
      knownTicks = clock.ticks()
      if (!(await stores.calls.renew(this.claimFence(), leaseMs, leases.bootTime()))) {
        this.end({ kind: 'lost' })
        return false
      }
      leases.renewed(this.claimFence())
    }
    return !this.isOver
  }

  diverge(path: string, found: JournalEntry, asked: string): OperationResult {
    const was = found.what === 'step' ? found.tool : found.what
    const message = `${this.call.tool.id} reaches "${path}" with ${asked}, but its journal has ${was} there, or the same with another input.`
    const error = new ToolError('TOOL_RUN_DIVERGED', message, {
      details: { call_id: this.row.callId, step: path, journal: was, asked },
      suggestions: [
        'Compare the run with what changed in the tool since it began, then settle the call with what you found.',
      ],
    })
    this.end({ kind: 'diverged', error })
    return { kind: 'waits' }
  }

  claimFence(): ReturnType<typeof fenceOf> {
    return fenceOf(this.row)
  }

  private onOperationEnd(): void {
    this.operations--
    if (this.operations > 0) return
    for (const idle of this.onIdle.splice(0)) idle()
    void this.rest()
  }

  /**
   * Ends the drive if nothing is under way. Code that just got an answer reaches its next operation
   * within one turn of the event loop.
   */
  async rest(): Promise<void> {
    await nextTurn()
    if (this.operations === 0 && (this.mode === 'replay' || this.isWaiting))
      this.end({ kind: 'waits' })
  }
}

// Every microtask of the current turn has run when it resolves.
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
