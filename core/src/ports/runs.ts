import type { ToolErrorCode } from '../call/errors.ts'
import type { Maybe } from '../call/maybe.ts'
import type { ExpiryPlace } from '../call/page.ts'
import type { GivenAnswer, Question, QuestionState } from '../call/question.ts'
import type { AuditEntry } from './audit.ts'
import type { Fence } from './calls.ts'

/**
 * One stored answer of a run, at its place. Another tool or input at the same place means that the
 * code has changed.
 */
export type JournalEntry = {
  readonly path: string
  readonly what: 'step' | 'ask' | 'now' | 'id' | 'end'
  /** Tool and version of a step. */
  readonly tool: string
  /** Of what was asked for: the input of a step, the question of an `ask`. */
  readonly inputHash: string
  /** The call of a step, the question of an `ask`. */
  readonly child: string
  readonly isWrite: boolean
  /**
   * Its answer or its undo hold fields marked `sensitive`: a store that outlives the process
   * encrypts both.
   */
  readonly isSecret: boolean
  readonly answer: JournalAnswer | undefined
  readonly undo: StoredUndo | undefined
}

export type JournalAnswer =
  | { readonly kind: 'value'; readonly json: string }
  | {
      readonly kind: 'error'
      readonly code: ToolErrorCode
      readonly message: string
      readonly details: string
      readonly data: string
    }

export type StoredUndo = { readonly tool: string; readonly json: string }

/** `lost`: another worker holds the row. `cancelled`: written, and the run was asked to stop. */
export type Written = 'written' | 'lost' | 'cancelled'

export type NewQuestion = Omit<Question, 'state' | 'answer' | 'createdAt' | 'expiresAt'> & {
  readonly expiresMs: number
}

export type Answered =
  | { readonly kind: 'answered' | 'closed'; readonly question: Question }
  | { readonly kind: 'missing' }

export type Parking = {
  /** Calls and questions any of which wakes it. */
  readonly calls: readonly string[]
  readonly questions: readonly string[]
  /** It looks again after so long, though nothing woke it. */
  readonly wakeInMs: number | undefined
  /** How long it has worked so far; waiting does not count. */
  readonly spentMs: number
  /**
   * The request to stop was handled: the run waits for it to finish, and is not woken by it again.
   */
  readonly isStopHeard: boolean
}

export type QuestionFilter = {
  readonly tenant: string
  readonly state?: QuestionState | undefined
  readonly callId?: string | undefined
  /** Without a principal: everyone's. */
  readonly principal?: string | undefined
  readonly limit?: number
  /** Only questions that are older than the one of this id. */
  readonly before?: string | undefined
  /** Lists what expires first at the top instead, beginning after this place. */
  readonly expiringAfter?: ExpiryPlace | undefined
}

/**
 * The journal of runs. Each method is one atomic step on the store's clock; only the holder of the
 * claim may use those that take a fence.
 */
export type RunStore = {
  /** The stored answers of a run, in the order in which they were begun. */
  readonly journal: (tenant: string, callId: string) => Maybe<readonly JournalEntry[]>
  /**
   * Puts entries in their places, or answers into those that stand there. May be lost with the
   * machine's power, and then whatever came after is, too.
   */
  readonly write: (fence: Fence, entries: readonly JournalEntry[]) => Maybe<Written>
  /**
   * Stores the question with its entry durably before it is shown. An existing question at the
   * place is returned.
   */
  readonly ask: (
    fence: Fence,
    question: NewQuestion,
    entry: JournalEntry,
  ) => Maybe<Question | undefined>
  /**
   * Releases the row until something it waits for has ended. `awake`: something has already, and
   * the claim is kept.
   */
  readonly park: (fence: Fence, parking: Parking) => Maybe<'parked' | 'awake' | 'lost'>
  /** Puts what has waited long enough back on the list; answers how many. */
  readonly wakeDue: (limit: number) => Maybe<number>
  /** Asks its worker to stop, and wakes a parked run; false when it has ended. */
  readonly askToStop: (tenant: string, callId: string) => Maybe<boolean>
  readonly question: (tenant: string, id: string) => Maybe<Question | undefined>
  /**
   * The newest first, at most `limit` (default 1,000) of them. With `expiringAfter` those that
   * expire first.
   */
  readonly questions: (filter: QuestionFilter) => Maybe<readonly Question[]>
  /** Like `waitingMark` of approvals, for open questions. */
  readonly waitingMark: (tenant: string, principal?: string) => Maybe<string>
  /** One transaction: the answer with its record, and the run's wake-up. */
  readonly answer: (
    tenant: string,
    id: string,
    answer: Omit<GivenAnswer, 'at'>,
    audit: AuditEntry,
  ) => Maybe<Answered>
  /** Closes the open questions of a run that has ended. */
  readonly closeQuestions: (tenant: string, callId: string) => Maybe<void>
  /** The latest progress of a call; written by the worker that holds the claim. */
  readonly setProgress: (fence: Fence, json: string) => Maybe<void>
  readonly progress: (
    tenant: string,
    callId: string,
  ) => Maybe<{ readonly number: number; readonly json: string } | undefined>
}
