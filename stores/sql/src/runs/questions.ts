import type { Row } from '@surehand/core/internal'
import type {
  Answered,
  AuditRecord,
  ExpiryPlace,
  Fence,
  GivenAnswer,
  JournalEntry,
  NewQuestion,
  Question,
  QuestionState,
} from '@surehand/core/ports'
import { insertRecord } from '../audit/record-row.ts'
import type { CallName } from '../calls/looks.ts'
import { wake } from '../calls/wake.ts'
import { listStatement, waitingMarkStep } from '../list-statement.ts'
import { defineStep, type Sql, type Statement } from '../step.ts'
import { lockDriven } from './driven.ts'
import { insertEntries } from './journal.ts'

export type QuestionName = { readonly tenant: string; readonly id: string }

export const getQuestion = defineStep(
  'runs.question',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, id }: QuestionName) => (await questionById(sql, tenant, id))?.question,
)

export const listQuestions = defineStep(
  'runs.questions',
  { mode: 'read', statements: 'one' },
  async (sql, wanted: Wanted): Promise<readonly Question[]> => {
    const { text, values } = listQuestionsStatement(wanted)
    return (await sql.all(text, ...values)).map(questionOf)
  },
)

export const markQuestions = waitingMarkStep('questions')

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

// Expiry is computed when a row is read; no process marks a question as expired.
const STATE = "case when state = 'open' and expires_at <= {now} then 'expired' else state end"

const SELECT = `select id, tenant, principal, call_id, tool_id, path, asks, answered_by, answer_schema, draft, shown, digest, is_secret,
  ${STATE} as state, answer, created_at, expires_at, {now} as read_at from questions`

/** A question, with the database's time when it was read. */
export type ReadQuestion = { readonly question: Question; readonly readAt: number }

export async function questionById(
  sql: Sql,
  tenant: string,
  id: string,
  lock: '' | '{lock}' = '',
): Promise<ReadQuestion | undefined> {
  const row = await sql.get(`${SELECT} where id = ? and tenant = ? ${lock}`, id, tenant)
  return row === undefined ? undefined : { question: questionOf(row), readAt: Number(row.read_at) }
}

export type Wanted = {
  readonly tenant: string
  readonly state: QuestionState | null
  readonly callId: string | null
  readonly principal: string | null
  readonly before: string | null
  readonly expiringAfter: ExpiryPlace | null
  readonly limit: number
}

// Compared with the stored state where that is enough: no index serves a computed one.
const IN_STATE: Readonly<Record<QuestionState, string>> = {
  open: "state = 'open' and expires_at > {now}",
  expired: `${STATE} = 'expired'`,
  answered: "state = 'answered'",
  closed: "state = 'closed'",
}

/** The statement that lists questions of a tenant. */
export function listQuestionsStatement(wanted: Wanted): Statement {
  const { tenant, state, callId, principal, before, expiringAfter, limit } = wanted
  const conditions = [
    ['tenant = ?', tenant] as const,
    state === null ? undefined : ([IN_STATE[state]] as const),
    callId === null ? undefined : (['call_id = ?', callId] as const),
    principal === null ? undefined : (['principal = ?', principal] as const),
  ]
  return listStatement(SELECT, conditions, { table: 'questions', before, expiringAfter, limit })
}

// The time is read once: in PostgreSQL it goes on within a statement.
const INSERT = `insert into questions (id, tenant, principal, call_id, tool_id, path, asks, answered_by, answer_schema, draft, shown, digest,
  is_secret, state, created_at, expires_at) select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', moment.at, moment.at + ? from (select {now} as at) moment`

export function insertQuestion(question: NewQuestion): Statement {
  const {
    id,
    tenant,
    principal,
    callId,
    toolId,
    path,
    asks,
    from,
    schema,
    draft,
    shown,
    digest,
    isSecret,
    expiresMs,
  } = question
  const known = [asks, from, schema, draft, shown, digest, Number(isSecret), Math.round(expiresMs)]
  return { text: INSERT, values: [id, tenant, principal, callId, toolId, path, ...known] }
}

// erased: every row was written by the statement above
function questionOf(row: Row): Question {
  return {
    id: String(row.id),
    tenant: String(row.tenant),
    principal: String(row.principal),
    callId: String(row.call_id),
    toolId: String(row.tool_id),
    path: String(row.path),
    asks: String(row.asks),
    from: row.answered_by as Question['from'],
    schema: String(row.answer_schema),
    draft: String(row.draft),
    shown: String(row.shown),
    digest: String(row.digest),
    isSecret: row.is_secret === 1,
    state: row.state as QuestionState,
    answer: row.answer === null ? undefined : givenOf(String(row.answer)),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  }
}

// JSON leaves out missing fields; in an answer they are undefined.
function givenOf(json: string): GivenAnswer {
  return { host: undefined, ...(JSON.parse(json) as Omit<GivenAnswer, 'host'>) }
}
