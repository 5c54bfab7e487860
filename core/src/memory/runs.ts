import type { CallRow } from '../call/call-row.ts'
import type { Question } from '../call/question.ts'
import type { Fence } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../ports/jobs.ts'
import type { JournalEntry, NewQuestion, Parking, RunStore } from '../ports/runs.ts'
import type { MemoryAudit } from './audit.ts'
import { findOpenApproval, isAbandoned, rowUnderFence, wake } from './call-row.ts'
import { type Ledger, listByExpiry } from './ledger.ts'

type RunContext = {
  readonly ledger: Ledger
  readonly audit: MemoryAudit
  readonly jobs: JobStore
  readonly clock: Clock
}

// An unbounded list of a tenant's history would grow with every question.
const MOST_LISTED = 1_000

/** Journals and questions of runs, in memory; each method is one atomic step. */
export function memoryRuns(context: RunContext): RunStore {
  const { ledger, audit, clock } = context
  const { journals, questions, progress } = ledger.notes

  return {
    journal: (tenant, callId) => [
      ...((ledger.byCall(tenant, callId) && journals.get(callId)?.values()) ?? []),
    ],
    write(fence, entries) {
      const row = findLiveRow(fence, context)
      if (row === undefined) return 'lost'
      for (const entry of entries) putEntry(fence.callId, entry, ledger)
      return row.isToStop ? 'cancelled' : 'written'
    },
    ask: (fence, question, entry) => ask(fence, { question, entry }, context),
    park: (fence, parking) => park(fence, parking, context),
    wakeDue: (limit) => wakeDue(limit, context),
    askToStop: (tenant, callId) => askToStop(tenant, callId, context),
    question: (tenant, id) => readQuestion(tenant, id, context),
    questions({ tenant, state, callId, principal, limit = MOST_LISTED, ...filter }) {
      const wanted = keysBefore(questions, filter.before)
        .flatMap((id) => readQuestion(tenant, id, context) ?? [])
        .filter(
          (question) =>
            (state === undefined || question.state === state) &&
            (callId === undefined || question.callId === callId) &&
            (principal === undefined || question.principal === principal),
        )
      const listed =
        filter.expiringAfter === undefined
          ? wanted.toReversed()
          : listByExpiry(wanted, filter.expiringAfter)
      return listed.slice(0, limit)
    },
    waitingMark: (tenant, principal = '') => {
      const open = [...questions.keys()].filter((id) => {
        const { state, principal: asked } = readQuestion(tenant, id, context) ?? {}
        return state === 'open' && (principal === '' || asked === principal)
      })
      return JSON.stringify(open)
    },
    answer(tenant, id, given, entry) {
      const question = readQuestion(tenant, id, context)
      if (question === undefined) return { kind: 'missing' }
      if (question.state !== 'open') return { kind: 'closed', question }
      audit.append(entry)
      const answered: Question = {
        ...question,
        state: 'answered',
        answer: { ...given, at: clock.now() },
      }
      questions.set(id, answered)
      wake(ledger.byCall(tenant, question.callId), context)
      return { kind: 'answered', question: answered }
    },
    closeQuestions(tenant, callId) {
      for (const id of [...questions.keys()]) {
        const question = readQuestion(tenant, id, context)
        if (question?.callId === callId && question.state === 'open')
          questions.set(id, { ...question, state: 'closed' })
      }
    },
    setProgress(fence, json) {
      if (rowUnderFence(fence, ledger) !== undefined)
        progress.set(fence.callId, { number: (progress.get(fence.callId)?.number ?? 0) + 1, json })
    },
    progress: (tenant, callId) =>
      ledger.byCall(tenant, callId) === undefined ? undefined : progress.get(callId),
  }
}

function keysBefore(map: ReadonlyMap<string, unknown>, key: string | undefined): string[] {
  const keys = [...map.keys()]
  return key === undefined ? keys : keys.slice(0, Math.max(0, keys.indexOf(key)))
}

/** The row, if this fence holds its claim and the lease has not expired. */
function findLiveRow(fence: Fence, { ledger, clock }: RunContext): CallRow | undefined {
  const row = rowUnderFence(fence, ledger)
  return row === undefined || isAbandoned(row, clock.now()) ? undefined : row
}

function journalOf(callId: string, { notes: { journals } }: Ledger): Map<string, JournalEntry> {
  const journal = journals.get(callId) ?? new Map<string, JournalEntry>()
  journals.set(callId, journal)
  return journal
}

// A recorded answer never changes: the run has gone on from it.
function putEntry(callId: string, entry: JournalEntry, ledger: Ledger): void {
  const journal = journalOf(callId, ledger)
  const standing = journal.get(entry.path)
  if (standing === undefined) journal.set(entry.path, entry)
  else
    journal.set(entry.path, {
      ...standing,
      isSecret: standing.isSecret || entry.isSecret,
      answer: standing.answer ?? entry.answer,
      undo: standing.undo ?? entry.undo,
    })
}

type Asking = { readonly question: NewQuestion; readonly entry: JournalEntry }

function ask(fence: Fence, { question, entry }: Asking, context: RunContext): Question | undefined {
  if (findLiveRow(fence, context) === undefined) return undefined
  const { ledger, clock } = context
  const standing = journalOf(fence.callId, ledger).get(entry.path)
  if (standing !== undefined) return readQuestion(fence.tenant, standing.child, context)
  const { expiresMs, ...asked } = question
  putEntry(fence.callId, entry, ledger)
  const now = clock.now()
  ledger.notes.questions.set(question.id, {
    ...asked,
    state: 'open',
    answer: undefined,
    createdAt: now,
    expiresAt: now + expiresMs,
  })
  return readQuestion(fence.tenant, question.id, context)
}

// No job marks questions as expired: they are read as expired once their time has passed.
function readQuestion(
  tenant: string,
  id: string,
  { ledger, clock }: RunContext,
): Question | undefined {
  const question = ledger.notes.questions.get(id)
  if (question?.tenant !== tenant) return undefined
  return question.state === 'open' && question.expiresAt <= clock.now()
    ? { ...question, state: 'expired' }
    : question
}

function park(fence: Fence, parking: Parking, context: RunContext): 'parked' | 'awake' | 'lost' {
  const { ledger, clock } = context
  const row = rowUnderFence(fence, ledger)
  if (row === undefined) return 'lost'
  const hasEnded =
    parking.calls.some((callId) => !isUnderWay(ledger.byCall(fence.tenant, callId), ledger)) ||
    parking.questions.some((id) => readQuestion(fence.tenant, id, context)?.state !== 'open')
  if ((row.isToStop && !parking.isStopHeard) || hasEnded) return 'awake'
  const now = clock.now()
  ledger.put({
    ...row,
    state: 'parked',
    leaseUntil: undefined,
    spentMs: parking.spentMs,
    updatedAt: now,
  })
  if (parking.wakeInMs !== undefined)
    ledger.notes.wakeAt.set(row.callId, { tenant: row.tenant, at: now + parking.wakeInMs })
  return 'parked'
}

// An unknown call has not ended: a person settles it.
function isUnderWay(row: CallRow | undefined, ledger: Ledger): boolean {
  switch (row?.state) {
    case 'waiting':
      return findOpenApproval(row, ledger) !== undefined
    case 'queued':
    case 'parked':
    case 'claimed':
    case 'effect_started':
    case 'unknown':
      return true
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'released':
    case 'pruned':
    case undefined:
      return false
  }
}

function wakeDue(limit: number, context: RunContext): number {
  const { ledger, clock } = context
  const due = [...ledger.notes.wakeAt]
    .filter(([, { at }]) => at <= clock.now())
    .sort(([, left], [, right]) => left.at - right.at)
    .slice(0, limit)
  for (const [callId, { tenant }] of due) wake(ledger.byCall(tenant, callId), context)
  return due.length
}

const STOPPABLE: ReadonlySet<string> = new Set<CallRow['state']>([
  'queued',
  'parked',
  'claimed',
  'effect_started',
])

function askToStop(tenant: string, callId: string, context: RunContext): boolean {
  const row = context.ledger.byCall(tenant, callId)
  if (row === undefined || !STOPPABLE.has(row.state)) return false
  wake(context.ledger.put({ ...row, isToStop: true }), context)
  return true
}
