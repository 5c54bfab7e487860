import type { Row, SqlValue } from '@surehand/core/internal'
import type { Fence, JournalAnswer, JournalEntry, StoredUndo, Written } from '@surehand/core/ports'
import { inChunks } from '../audit/in-chunks.ts'
import type { CallName } from '../calls/looks.ts'
import { defineStep, type Sql, type Statement } from '../step.ts'
import { lockDriven } from './driven.ts'

const SELECT = `select path, what, tool, input_hash, child, is_write, is_secret, answer, undo from journal
  where call_id = ? and tenant = ? order by number`

export const readJournal = defineStep(
  'runs.journal',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, callId }: CallName) => (await sql.all(SELECT, callId, tenant)).map(entryOf),
)

// A stored answer is never changed, because the run has continued from it.
const FILL_IN = `on conflict (call_id, path) do update set answer = coalesce(journal.answer, excluded.answer),
  undo = coalesce(journal.undo, excluded.undo), is_secret = case when excluded.is_secret = 1 then 1 else journal.is_secret end`

export type Writing = { readonly fence: Fence; readonly entries: readonly JournalEntry[] }

/** Lazy: if it is lost in a power failure, so is everything that came after it. */
export const writeJournal = defineStep(
  'runs.write',
  { mode: 'lazy', statements: 'many' },
  async (sql, { fence, entries }: Writing): Promise<Written> => {
    const held = await lockDriven(sql, fence)
    if (held === undefined) return 'lost'
    for (const chunk of inChunks(onePerPlace(entries)))
      await write(sql, insertEntries(fence, chunk, FILL_IN))
    return held.isToStop ? 'cancelled' : 'written'
  },
)

// One statement cannot write a row twice.
function onePerPlace(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const places = new Map<string, JournalEntry>()
  for (const entry of entries) {
    const first = places.get(entry.path)
    if (first === undefined) places.set(entry.path, entry)
    else
      places.set(entry.path, {
        ...first,
        isSecret: first.isSecret || entry.isSecret,
        ...filledIn(first, entry),
      })
  }
  return [...places.values()]
}

function filledIn(first: JournalEntry, entry: JournalEntry): Pick<JournalEntry, 'answer' | 'undo'> {
  return { answer: first.answer ?? entry.answer, undo: first.undo ?? entry.undo }
}

const COLUMNS =
  'tenant, call_id, path, what, tool, input_hash, child, is_write, is_secret, answer, undo'
const PLACES = `(${COLUMNS.replace(/\w+/g, '?')})`

export function insertEntries(
  { tenant, callId }: Fence,
  entries: readonly JournalEntry[],
  onConflict: string,
): Statement {
  return {
    text: `insert into journal (${COLUMNS}) values ${entries.map(() => PLACES).join(', ')} ${onConflict}`,
    values: entries.flatMap((entry) => [tenant, callId, ...valuesOf(entry)]),
  }
}

function valuesOf({
  path,
  what,
  tool,
  inputHash,
  child,
  isWrite,
  isSecret,
  answer,
  undo,
}: JournalEntry): readonly SqlValue[] {
  return [
    path,
    what,
    tool,
    inputHash,
    child,
    Number(isWrite),
    Number(isSecret),
    jsonOf(answer),
    jsonOf(undo),
  ]
}

function jsonOf(value: JournalAnswer | StoredUndo | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

// erased: every row was written by the statement above
function entryOf(row: Row): JournalEntry {
  return {
    path: String(row.path),
    what: row.what as JournalEntry['what'],
    tool: String(row.tool),
    inputHash: String(row.input_hash),
    child: String(row.child),
    isWrite: row.is_write === 1,
    isSecret: row.is_secret === 1,
    answer: row.answer === null ? undefined : (JSON.parse(String(row.answer)) as JournalAnswer),
    undo: row.undo === null ? undefined : (JSON.parse(String(row.undo)) as StoredUndo),
  }
}

async function write(sql: Sql, { text, values }: Statement): Promise<void> {
  await sql.run(text, ...values)
}
