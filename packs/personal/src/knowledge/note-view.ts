import { ToolError, type Tx } from '@surehand/core'
import type { Row, SqlValue } from '@surehand/core/internal'
import type { Person } from '../person.ts'
import { tagsOf } from './markdown-note.ts'
import { toNote } from './note.ts'

type Ask = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>
type Which = { readonly tenant: string; readonly owner: string; readonly id: string }

type LinkView = { readonly relation: string; readonly title: string; readonly id?: string }

const MOST_LINKS = 100
// A link names a note by title or file name; of two notes with the same name, the older one is
// linked.
const FORWARD = `select l.relation, l.to_title as title, min(n.id) as id from pm_note_links l
  left join pm_notes n on n.tenant = l.tenant and n.owner = l.owner and n.deleted_at is null and (n.title_key = l.to_key or n.file_key = l.to_key)
  where l.tenant = ? and l.owner = ? and l.from_id = ? group by l.relation, l.to_title order by l.relation, l.to_title limit ${MOST_LINKS}`
const BACK = `select distinct l.relation, n.title, n.id from pm_note_links l
  join pm_notes t on t.tenant = l.tenant and t.owner = l.owner and (t.title_key = l.to_key or t.file_key = l.to_key)
  join pm_notes n on n.tenant = l.tenant and n.id = l.from_id and n.deleted_at is null
  where t.tenant = ? and t.owner = ? and t.id = ? order by l.relation, n.title limit ${MOST_LINKS}`

function toLinkView({ relation, title, id }: Row): LinkView {
  return {
    relation: String(relation),
    title: String(title),
    ...(id === null || id === undefined ? {} : { id: String(id) }),
  }
}

/** The links of a note and its backlinks. */
export async function readLinks(
  ask: Ask,
  { tenant, owner, id }: Which,
): Promise<{ readonly links: LinkView[]; readonly backlinks: LinkView[] }> {
  const links = (await ask(FORWARD, tenant, owner, id)).map(toLinkView)
  return { links, backlinks: (await ask(BACK, tenant, owner, id)).map(toLinkView) }
}

/** A row of pm_notes in the output. */
export function noteInfo(row: Row) {
  return {
    id: String(row.id),
    title: String(row.title),
    path: String(row.path),
    tags: [...tagsOf(toNote(row))],
    created_at: new Date(Number(row.created_at)).toISOString(),
    updated_at: new Date(Number(row.updated_at)).toISOString(),
  }
}

const BY_ID = 'select * from pm_notes where tenant = ? and id = ?'

export async function readNoteView(tx: Tx, { tenant, owner }: Person, id: string) {
  const row = await tx.get(BY_ID, tenant, id)
  if (row === undefined)
    throw new ToolError('TOOL_DATA_CORRUPTION', `The note ${id} was written but cannot be read.`)
  return { ...noteInfo(row), ...(await readLinks(tx.all, { tenant, owner, id })) }
}
