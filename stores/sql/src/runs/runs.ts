import type {
  Fence,
  GivenAnswer,
  JournalAnswer,
  JournalEntry,
  NewQuestion,
  Question,
  RunStore,
} from '@surehand/core/ports'
import { OURS, ours } from '../calls/fenced.ts'
import type { CallName } from '../calls/looks.ts'
import type { Database } from '../database.ts'
import { boundTo, type Sealing } from '../sealing.ts'
import { defineStep } from '../step.ts'
import { readJournal, writeJournal } from './journal.ts'
import { parkRun } from './park.ts'
import {
  answerQuestion,
  askQuestion,
  closeQuestions,
  getQuestion,
  listQuestions,
  markQuestions,
} from './questions.ts'
import { areRunsDue, askToStop, wakeDue } from './waking.ts'

/** The journal, questions and progress of runs in SQL. */
export function sqlRuns(database: Database, sealing: Sealing): RunStore {
  const secrets = runSealing(sealing)
  return {
    journal: async (tenant, callId) =>
      (await database.step(readJournal, { tenant, callId })).map((entry) =>
        secrets.openEntry(entry, { tenant, callId }),
      ),
    write: (fence, entries) =>
      database.step(writeJournal, {
        fence,
        entries: entries.map((entry) => secrets.entry(entry, fence)),
      }),
    async ask(fence, question, entry) {
      const sealed = { question: secrets.question(question), entry: secrets.entry(entry, fence) }
      const standing = await database.step(askQuestion, { fence, ...sealed })
      return standing && secrets.openQuestion(standing)
    },
    park: (fence, { calls, questions, wakeInMs, spentMs, isStopHeard }) =>
      database.step(parkRun, {
        fence,
        parking: {
          calls,
          questions,
          wakeInMs: wakeInMs === undefined ? null : Math.round(wakeInMs),
          spentMs: Math.round(spentMs),
          isStopHeard,
        },
      }),
    // Usually nothing is due, and a read does not occupy the writer.
    wakeDue: async (limit) =>
      (await database.step(areRunsDue, null)) ? database.step(wakeDue, { limit }) : 0,
    askToStop: (tenant, callId) => database.step(askToStop, { tenant, callId }),
    async question(tenant, id) {
      const found = await database.step(getQuestion, { tenant, id })
      return found && secrets.openQuestion(found)
    },
    async questions({ tenant, limit = 1_000, ...filter }) {
      const { state = null, callId = null, principal = null } = filter
      const { before = null, expiringAfter = null } = filter
      const wanted = { tenant, state, callId, principal, before, expiringAfter, limit }
      return (await database.step(listQuestions, wanted)).map(secrets.openQuestion)
    },
    async answer(tenant, id, answer, audit) {
      // The owner and the secrecy of a call never change, so they can be read before the
      // transaction.
      const asked = await database.step(getQuestion, { tenant, id })
      const answered = await database.step(answerQuestion, {
        tenant,
        id,
        answer: secrets.given(answer, asked),
        audit: sealing.record(audit),
      })
      return answered.kind === 'missing'
        ? answered
        : { ...answered, question: secrets.openQuestion(answered.question) }
    },
    waitingMark: (tenant, principal) => database.step(markQuestions, { tenant, principal }),
    closeQuestions: (tenant, callId) => database.step(closeQuestions, { tenant, callId }),
    setProgress: (fence, json) =>
      database.step(setProgress, { fence, json: secrets.progress(json, fence) }),
    async progress(tenant, callId) {
      const newest = await database.step(getProgress, { tenant, callId })
      return newest && { ...newest, json: secrets.openProgress(newest.json, { tenant, callId }) }
    },
  }
}

type Bound = { readonly tenant: string; readonly callId: string }

/** The notes of runs as they are stored: secrets are encrypted and bound to their call. */
function runSealing({ seal, open, hasKey }: Sealing) {
  const sealer = (call: Bound) => (text: string) => seal(text, boundTo(call))
  const opener = (call: Bound) => (text: string) => open(text, boundTo(call))
  return {
    entry: (entry: JournalEntry, call: Bound): JournalEntry =>
      entry.isSecret ? mapEntry(entry, sealer(call)) : entry,
    openEntry: (entry: JournalEntry, call: Bound): JournalEntry =>
      entry.isSecret ? mapEntry(entry, opener(call)) : entry,
    question: (question: NewQuestion): NewQuestion =>
      question.isSecret ? mapQuestion(question, sealer(question)) : question,
    openQuestion(question: Question): Question {
      if (!question.isSecret) return question
      const { answer, ...shown } = mapQuestion(question, opener(question))
      return { ...shown, answer: answer && { ...answer, json: opener(question)(answer.json) } }
    },
    given: <G extends Omit<GivenAnswer, 'at'>>(given: G, question: Question | undefined): G =>
      question?.isSecret ? { ...given, json: sealer(question)(given.json) } : given,
    // The call's secrecy is not known here, and a progress report may contain the secret input.
    progress: (json: string, call: Bound): string => (hasKey ? sealer(call)(json) : json),
    openProgress: (json: string, call: Bound): string => opener(call)(json),
  }
}

function mapEntry(entry: JournalEntry, map: (text: string) => string): JournalEntry {
  const { answer, undo } = entry
  return {
    ...entry,
    answer: answer && mapAnswer(answer, map),
    undo: undo && { ...undo, json: map(undo.json) },
  }
}

// A code is defined by us; a text from the tool may contain its secret input.
function mapAnswer(answer: JournalAnswer, map: (text: string) => string): JournalAnswer {
  switch (answer.kind) {
    case 'value':
      return { ...answer, json: map(answer.json) }
    case 'error':
      return {
        ...answer,
        message: map(answer.message),
        details: map(answer.details),
        data: map(answer.data),
      }
  }
}

function mapQuestion<Q extends Pick<Question, 'draft' | 'shown'>>(
  question: Q,
  map: (text: string) => string,
): Q {
  return { ...question, draft: map(question.draft), shown: map(question.shown) }
}

const SET = `insert into progress (call_id, tenant, number, json) select call_id, tenant, 1, cast(? as text) from calls where ${OURS}
  on conflict (call_id) do update set number = progress.number + 1, json = excluded.json`

export const setProgress = defineStep(
  'runs.setProgress',
  { mode: 'lazy', statements: 'one' },
  async (sql, { fence, json }: { readonly fence: Fence; readonly json: string }) => {
    await sql.run(SET, json, ...ours(fence))
  },
)

export const getProgress = defineStep(
  'runs.progress',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, callId }: CallName) => {
    const row = await sql.get(
      'select number, json from progress where call_id = ? and tenant = ?',
      callId,
      tenant,
    )
    return row === undefined ? undefined : { number: Number(row.number), json: String(row.json) }
  },
)
