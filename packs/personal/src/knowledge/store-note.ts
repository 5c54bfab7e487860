import { ToolError, type Tx } from '@surehand/core'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import { addNumber, baseName, pathKey } from './file-name.ts'
import { withoutCode } from './markdown-note.ts'
import type { Json } from './note.ts'
import { type Note, noteHash } from './note.ts'

type WikiLink = {
  /** The name of the other note, as written in the text. */
  readonly title: string
  readonly key: string
  readonly relation: string
}

/** The relation of a link in the text of a note. */
const LINKS_TO = 'links_to'
const RELATION = /^[a-z][a-z0-9_]{0,39}$/
const LINK = /\[\[([^[\]|#^\n]{1,400})(?:[#^][^[\]|\n]{0,400})?(?:\|[^[\]\n]{0,400})?\]\]/g
const MOST = 1_000

/**
 * The links of a note: those in the text, and those in front matter properties, whose names are the
 * relations. Each is returned once.
 */
export function findLinks({
  body,
  properties,
}: Pick<Note, 'body' | 'properties'>): readonly WikiLink[] {
  const found = new Map<string, WikiLink>()
  const add = (text: string, relation: string): void => {
    for (const [, target = ''] of text.matchAll(LINK)) {
      const title = target
        .slice(target.lastIndexOf('/') + 1)
        .trim()
        .replace(/\.md$/i, '')
      const link = { title, key: nameKey(title), relation }
      if (title !== '' && found.size < MOST) found.set(`${relation}\n${link.key}`, link)
    }
  }
  for (const [name, value] of Object.entries(properties))
    for (const text of textsIn(value)) add(text, RELATION.test(name) ? name : LINKS_TO)
  add(withoutCode(body), LINKS_TO)
  return [...found.values()]
}

function textsIn(value: Json): readonly string[] {
  const parts = Array.isArray(value) ? value : [value]
  return parts.filter((part): part is string => typeof part === 'string')
}

type StoredNote = { readonly id: string; readonly path: string; readonly note: Note }
type When = {
  readonly now: number
  readonly createdAt?: number
  readonly updatedAt?: number
  readonly deletedAt?: number
}

// A transaction that changes a person's notes holds this row until it ends, so that readers see
// revisions in increasing order.
const NEXT_REVISION = `insert into pm_note_heads (tenant, owner, revision) values (?, ?, ?)
  on conflict (tenant, owner) do update set revision = pm_note_heads.revision + 1`
const HOLD = `insert into pm_note_heads (tenant, owner, revision) values (?, ?, ?)
  on conflict (tenant, owner) do update set revision = pm_note_heads.revision`
const REVISION = 'select revision from pm_note_heads where tenant = ? and owner = ?'
const PUT = `insert into pm_notes (tenant, id, owner, title, title_key, body, tags, aliases, properties, path, path_key, file_key, hash,
    revision, created_at, updated_at, deleted_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (tenant, id) do update set title = excluded.title, title_key = excluded.title_key, body = excluded.body, tags = excluded.tags,
    aliases = excluded.aliases, properties = excluded.properties, path = excluded.path, path_key = excluded.path_key,
    file_key = excluded.file_key, hash = excluded.hash, revision = excluded.revision, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at
    where pm_notes.owner = excluded.owner`
const PUT_LINK = `insert into pm_note_links (tenant, owner, from_id, to_key, to_title, relation) values (?, ?, ?, ?, ?, ?)
  on conflict do nothing`
const FORGET_LINKS = 'delete from pm_note_links where tenant = ? and from_id = ?'
const DROP =
  'update pm_notes set deleted_at = ?, updated_at = ?, revision = ? where tenant = ? and id = ? and owner = ?'
const TAKEN =
  'select id from pm_notes where tenant = ? and owner = ? and path_key = ? and deleted_at is null'

async function nextRevision(tx: Tx, { tenant, owner }: Person, now: number): Promise<number> {
  await tx.run(NEXT_REVISION, tenant, owner, now)
  return Number((await tx.get(REVISION, tenant, owner))?.revision)
}

/** Writes a new or changed note and its links. */
export async function storeNote(
  tx: Tx,
  person: Person,
  { id, path, note, now, ...when }: StoredNote & When,
): Promise<string> {
  const { tenant, owner } = person
  const { createdAt = now, updatedAt = now, deletedAt } = when
  const hash = noteHash(note)
  const revision = await nextRevision(tx, person, now)
  await tx.run(
    PUT,
    ...[
      tenant,
      id,
      owner,
      note.title,
      nameKey(note.title),
      note.body,
      JSON.stringify(note.tags),
      JSON.stringify(note.aliases),
    ],
    ...[
      JSON.stringify(note.properties),
      path,
      pathKey(path),
      nameKey(baseName(path)),
      hash,
      revision,
      createdAt,
      updatedAt,
      deletedAt ?? null,
    ],
  )
  await tx.run(FORGET_LINKS, tenant, id)
  // A deleted note has no links.
  if (deletedAt !== undefined) return hash
  for (const { key, title, relation } of findLinks(note))
    await tx.run(PUT_LINK, tenant, owner, id, key, title, relation)
  return hash
}

/** Marks a note as deleted; it can be restored. */
export async function markDeleted(
  tx: Tx,
  person: Person,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<void> {
  const revision = await nextRevision(tx, person, now)
  await tx.run(DROP, now, now, revision, person.tenant, id, person.owner)
  await tx.run(FORGET_LINKS, person.tenant, id)
}

/**
 * Locks a person's notes until the transaction ends, so that what is read after this stays valid.
 */
export async function lockNotes(
  tx: Tx,
  { tenant, owner, now }: Person & { readonly now: number },
): Promise<void> {
  await tx.run(HOLD, tenant, owner, now)
}

/**
 * The path, or the same with the first free number. When a concurrent call writes the same path
 * meanwhile, it is the same note written twice and is refused.
 */
export async function findFreePath(
  tx: Tx,
  person: Person & { readonly now: number },
  wanted: string,
): Promise<string> {
  const isTaken = async (path: string) =>
    (await tx.get(TAKEN, person.tenant, person.owner, pathKey(path))) !== undefined
  const wasFree = !(await isTaken(wanted))
  await lockNotes(tx, person)
  if (wasFree && (await isTaken(wanted)))
    throw new ToolError(
      'TOOL_RESOURCE_ALREADY_EXISTS',
      `A note was written at "${wanted}" just now. Read it before you write another.`,
      {
        details: { path: wanted },
      },
    )
  for (let number = 1; ; number++) {
    const path = addNumber(wanted, number)
    if (!(await isTaken(path))) return path
  }
}
