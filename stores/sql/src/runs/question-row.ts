import type { Row } from '@surehand/core/internal'
import type { GivenAnswer, NewQuestion, Question, QuestionState } from '@surehand/core/ports'
import type { Sql, Statement } from '../step.ts'

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
  readonly limit: number
}

const WANTED = `tenant = ? and (cast(? as text) is null or ${STATE} = ?) and (cast(? as text) is null or call_id = ?)
  and (cast(? as text) is null or principal = ?)`

/** The newest first. */
export async function questionsWanted(
  sql: Sql,
  { tenant, state, callId, principal, limit }: Wanted,
): Promise<readonly Question[]> {
  return (
    await sql.all(
      `${SELECT} where ${WANTED} order by number desc limit ?`,
      tenant,
      state,
      state,
      callId,
      callId,
      principal,
      principal,
      limit,
    )
  ).map(questionOf)
}

const INSERT = `insert into questions (id, tenant, principal, call_id, tool_id, path, asks, answered_by, answer_schema, draft, shown, digest,
  is_secret, state, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', {now}, {now} + ?)`

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
