import type { Row, SqlValue } from '@surehand/core/internal'
import { boundTo, type Sealing } from '../sealing.ts'
import type { Sql } from '../step.ts'

/** What somebody said about other people's calls: as decider, as whoever answered a run, as editor, as witness. */
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

/** Who is forgotten, and what opens the evidence where it is encrypted. */
export type Forgotten = {
  readonly tenant: string
  readonly principal: string
  readonly secrets: Pick<Sealing, 'open'>
}

type Word = { readonly by: string; readonly reason?: string; readonly text?: string }

/**
 * Takes a person's name and words off decisions, edits and evidence on rows of others. What was decided stays, with its time and credential.
 * Who edited an open question stays, and so does who bore witness on what nobody knows: without the name they could pass as the second person.
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

// what was answered stays with the run that was told it
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

// the name as JSON has it; SQLite finds it in any case, so whoever is found is looked at again
function mentionOf(principal: string): string {
  return `%${`"by":${JSON.stringify(principal)}`.replace(/[!%_]/g, '!$&')}%`
}

// evidence may be any text: what is no JSON names nobody
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
