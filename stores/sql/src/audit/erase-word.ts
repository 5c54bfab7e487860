import type { Row, SqlValue } from '@surehand/core/internal'
import { boundTo, type Sealing } from '../sealing.ts'
import type { Sql } from '../step.ts'

/**
 * A person's statements about other people's calls: as decider, as answerer, as editor, as witness.
 */
export type ErasedWord = {
  readonly approvals: number
  readonly evidence: number
  readonly underWay: readonly string[]
  readonly kept: readonly string[]
}

const DECIDED =
  "select number, decision from approvals where tenant = ? and decision like ? escape '!' order by number {lock}"
const ANSWERED =
  "select number, answer from questions where tenant = ? and answer like ? escape '!' order by number {lock}"
const EDITED = `select number, id, shown, state = 'pending' and expires_at > {now} as is_open from approvals
  where tenant = ? and edited_by = ? order by number {lock}`
const WITNESSED = `select number, text, call_id, exists (select 1 from calls c where c.call_id = evidence.call_id and c.state = 'unknown')
    as is_open from evidence where tenant = ? and what = 'person' and text <> '' order by number`

/** The person to erase, and the keys that decrypt evidence. */
export type Forgotten = {
  readonly tenant: string
  readonly principal: string
  readonly secrets: Pick<Sealing, 'open'>
}

type Word = { readonly by: string; readonly reason?: string; readonly text?: string }

/**
 * Removes a person's name and texts from decisions, edits and evidence on rows of others. The
 * decision stays, with its time and credential. The editor of an open request and the witness of an
 * unknown call stay: without the name they could pass as the second person.
 */
export async function eraseWord(sql: Sql, forgotten: Forgotten): Promise<ErasedWord> {
  const [decided, answered, edited, witnessed] = [
    await eraseDecisions(sql, forgotten),
    await eraseAnswers(sql, forgotten),
    await eraseEdits(sql, forgotten),
    await eraseWitness(sql, forgotten),
  ]
  return {
    approvals: decided + answered + edited.erased,
    evidence: witnessed.erased,
    kept: edited.kept,
    underWay: witnessed.kept,
  }
}

async function eraseDecisions(sql: Sql, { tenant, principal }: Forgotten): Promise<number> {
  let erased = 0
  for (const row of await sql.all(DECIDED, tenant, mentionOf(principal))) {
    const { reason: _, ...decision } = wordOf(row.decision)
    if (decision.by !== principal) continue
    await sql.run(
      'update approvals set decision = ? where number = ?',
      JSON.stringify({ ...decision, by: '' }),
      Number(row.number),
    )
    erased++
  }
  return erased
}

// The answer itself stays with the run that has used it.
async function eraseAnswers(sql: Sql, { tenant, principal }: Forgotten): Promise<number> {
  const theirs = (await sql.all(ANSWERED, tenant, mentionOf(principal))).filter(
    (row) => wordOf(row.answer).by === principal,
  )
  for (const row of theirs)
    await sql.run(
      'update questions set answer = ? where number = ?',
      JSON.stringify({ ...wordOf(row.answer), by: '' }),
      Number(row.number),
    )
  return theirs.length
}

type Part = { readonly erased: number; readonly kept: readonly string[] }

async function eraseEdits(sql: Sql, { tenant, principal }: Forgotten): Promise<Part> {
  const rows = await sql.all(EDITED, tenant, principal)
  const closed = rows.filter(({ is_open }) => is_open !== 1)
  for (const { number, shown } of closed)
    await sql.run(
      "update approvals set edited_by = '', shown = ? where number = ?",
      withoutEditor(String(shown)),
      Number(number),
    )
  return {
    erased: closed.length,
    kept: rows.filter(({ is_open }) => is_open === 1).map(({ id }) => String(id)),
  }
}

async function eraseWitness(sql: Sql, { tenant, principal, secrets }: Forgotten): Promise<Part> {
  const openedOf = ({ text, call_id }: Row): string =>
    secrets.open(String(text), boundTo({ tenant, callId: String(call_id) }))
  const rows = (await sql.all(WITNESSED, tenant)).filter(
    (row) => wordOf(openedOf(row)).by === principal,
  )
  const closed = rows.filter(({ is_open }) => is_open !== 1)
  for (const { number } of closed)
    await sql.run(
      'update evidence set text = ? where number = ?',
      JSON.stringify({ by: '', text: '' }),
      Number(number),
    )
  return {
    erased: closed.length,
    kept: rows.filter(({ is_open }) => is_open === 1).map(({ call_id }) => String(call_id)),
  }
}

// The name in JSON notation. SQLite's LIKE ignores the case, so every match is checked again.
function mentionOf(principal: string): string {
  return `%${`"by":${JSON.stringify(principal)}`.replace(/[!%_]/g, '!$&')}%`
}

// Evidence may be any text; a text that is not JSON names no one.
function wordOf(json: SqlValue | undefined): Word {
  try {
    return JSON.parse(String(json)) as Word
  } catch {
    return { by: '' }
  }
}

function withoutEditor(shown: string): string {
  const seen = JSON.parse(shown) as Record<string, unknown>
  return 'edited_by' in seen ? JSON.stringify({ ...seen, edited_by: '' }) : shown
}
