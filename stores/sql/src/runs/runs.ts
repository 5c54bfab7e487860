import type { RunStore } from '@surehand/core/ports'
import { toRecord } from '../audit/record-row.ts'
import type { Database } from '../database.ts'
import type { Sealing } from '../sealing.ts'
import { readJournal, writeJournal } from './journal.ts'
import { parkRun } from './park.ts'
import { getProgress, setProgress } from './progress.ts'
import {
  answerQuestion,
  askQuestion,
  closeQuestions,
  getQuestion,
  listQuestions,
} from './questions.ts'
import { runSealing } from './sealed-run.ts'
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
    questions: async ({ tenant, state = null, callId = null, principal = null, limit = 1_000 }) => {
      const wanted = { tenant, state, callId, principal, limit }
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
        audit: toRecord(audit),
      })
      return answered.kind === 'missing'
        ? answered
        : { ...answered, question: secrets.openQuestion(answered.question) }
    },
    closeQuestions: (tenant, callId) => database.step(closeQuestions, { tenant, callId }),
    setProgress: (fence, json) =>
      database.step(setProgress, { fence, json: secrets.progress(json, fence) }),
    async progress(tenant, callId) {
      const newest = await database.step(getProgress, { tenant, callId })
      return newest && { ...newest, json: secrets.openProgress(newest.json, { tenant, callId }) }
    },
  }
}
