import type {
  Answered,
  AuditRecord,
  Fence,
  GivenAnswer,
  JournalEntry,
  NewQuestion,
  Question,
} from '@surehand/core/ports'
import { insertRecord } from '../audit/record-row.ts'
import type { CallName } from '../calls/looks.ts'
import { wake } from '../calls/wake.ts'
import { defineStep, type Sql, type Statement } from '../step.ts'
import { lockDriven } from './driven.ts'
import { insertEntries } from './journal.ts'
import { insertQuestion, questionById, questionsWanted, type Wanted } from './question-row.ts'

export type QuestionName = { readonly tenant: string; readonly id: string }

export const getQuestion = defineStep(
  'runs.question',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, id }: QuestionName) => (await questionById(sql, tenant, id))?.question,
)

export const listQuestions = defineStep(
  'runs.questions',
  { mode: 'read', statements: 'one' },
  (sql, wanted: Wanted) => questionsWanted(sql, wanted),
)

export type RunAsking = {
  readonly fence: Fence
  readonly question: NewQuestion
  readonly entry: JournalEntry
}

/**
 * Durable before anyone is notified: writes the question with its journal entry, or returns the one
 * that exists at this step.
 */
export const askQuestion = defineStep(
  'runs.ask',
  { mode: 'durable', statements: 'many' },
  async (sql, { fence, question, entry }: RunAsking): Promise<Question | undefined> => {
    if ((await lockDriven(sql, fence)) === undefined) return undefined
    if ((await write(sql, insertEntries(fence, [entry], 'on conflict do nothing'))) > 0)
      await write(sql, insertQuestion(question))
    const standing = await sql.get(
      'select child from journal where call_id = ? and path = ?',
      fence.callId,
      entry.path,
    )
    return (await questionById(sql, fence.tenant, String(standing?.child)))?.question
  },
)

export type RunAnswering = QuestionName & {
  readonly answer: Omit<GivenAnswer, 'at'>
  readonly audit: AuditRecord
}

// Locks the run first and then its question, as parking does; different orders would deadlock.
const LOCK_RUN = `select call_id from calls where tenant = ?
  and call_id = (select call_id from questions where id = ? and tenant = ?) {lock}`

/** One transaction: the answer with its record, and the run's wake-up. */
export const answerQuestion = defineStep(
  'runs.answer',
  { mode: 'durable', statements: 'many' },
  async (sql, { tenant, id, answer, audit }: RunAnswering): Promise<Answered> => {
    await sql.get(LOCK_RUN, tenant, id, tenant)
    const found = await questionById(sql, tenant, id, '{lock}')
    if (found === undefined) return { kind: 'missing' }
    const { question, readAt } = found
    if (question.state !== 'open') return { kind: 'closed', question }
    const given: GivenAnswer = { ...answer, at: readAt }
    await sql.run(
      "update questions set state = 'answered', answer = ? where id = ?",
      JSON.stringify(given),
      id,
    )
    await write(sql, insertRecord(audit))
    await wake(sql, question)
    return { kind: 'answered', question: { ...question, state: 'answered', answer: given } }
  },
)

const CLOSE =
  "update questions set state = 'closed' where call_id = ? and tenant = ? and state = 'open' and expires_at > {now}"

export const closeQuestions = defineStep(
  'runs.closeQuestions',
  { mode: 'durable', statements: 'one' },
  async (sql, { tenant, callId }: CallName) => {
    await sql.run(CLOSE, callId, tenant)
  },
)

function write(sql: Sql, { text, values }: Statement): Promise<number> {
  return sql.run(text, ...values)
}
