import type { Row } from '@surehand/core/internal'
import type { TextIndex } from '@surehand/core/ports'
import { miniSearchIndex } from '@surehand/discovery'
import type { Person } from '../person.ts'
import type { PersonalData, Reader } from '../personal-data.ts'
import { tagsOf } from './markdown-note.ts'
import { toNote } from './note.ts'

export type Hit = { readonly id: string; readonly score: number }
type Indexed = {
  readonly index: TextIndex
  readonly tags: Map<string, readonly string[]>
  seen: number
}

const BOOSTS = { title: 5, aliases: 4, tags: 3, body: 1 }
const AT_ONCE = 500
const MOST_PEOPLE = 100
const HEAD = 'select revision from pm_note_heads where tenant = ? and owner = ?'
const COUNT =
  'select count(*) as count from pm_notes where tenant = ? and owner = ? and deleted_at is null'
const CHANGED = `select id, title, body, tags, aliases, properties, revision, deleted_at from pm_notes
  where tenant = ? and owner = ? and revision > ? order by revision limit ${AT_ONCE}`

// An index lives as long as the database from which it was read.
const indexes = new WeakMap<PersonalData, Map<string, Indexed>>()

/**
 * Searches a person's notes, the best match first; without a query all notes, the newest first.
 * Changes since the last search are read first.
 */
export async function searchNotes(
  {
    data,
    read,
    person,
  }: { readonly data: PersonalData; readonly read: Reader; readonly person: Person },
  { query, tag }: { readonly query: string | undefined; readonly tag: string | undefined },
): Promise<readonly Hit[]> {
  const indexed = await bringUpToDate(findIndex(data, person), read, person)
  storeIndex(data, person, indexed)
  const found = query === undefined ? newestFirst(indexed) : indexed.index.search(query, BOOSTS)
  const wanted = tag?.replace(/^#/, '').toLowerCase()
  return wanted === undefined
    ? found
    : found.filter(({ id }) =>
        (indexed.tags.get(id) ?? []).some((one) => isTagOrBelow(one, wanted)),
      )
}

function newestFirst({ tags }: Indexed): readonly Hit[] {
  return [...tags.keys()].reverse().map((id) => ({ id, score: 0 }))
}

// A tag includes the tags below it, as in Obsidian.
function isTagOrBelow(tag: string, wanted: string): boolean {
  const one = tag.toLowerCase()
  return one === wanted || one.startsWith(`${wanted}/`)
}

async function bringUpToDate(indexed: Indexed, read: Reader, person: Person): Promise<Indexed> {
  const [head] = await read(HEAD, person.tenant, person.owner)
  if (head === undefined) return createIndex()
  const revision = Number(head.revision)
  if (revision === indexed.seen) return indexed
  if (revision < indexed.seen) return readChanges(createIndex(), revision, { read, person })
  const current = await readChanges(indexed, revision, { read, person })
  // When a person's data is deleted, the rows disappear without a new revision. The count shows
  // that the index has to be built again.
  const [kept] = await read(COUNT, person.tenant, person.owner)
  return Number(kept?.count) === current.tags.size
    ? current
    : readChanges(createIndex(), revision, { read, person })
}

type Reading = { readonly read: Reader; readonly person: Person }

async function readChanges(
  current: Indexed,
  revision: number,
  { read, person }: Reading,
): Promise<Indexed> {
  while (current.seen < revision) {
    const rows = await read(CHANGED, person.tenant, person.owner, current.seen)
    for (const row of rows) applyChange(current, row)
    current.seen = Math.max(current.seen, ...rows.map((row) => Number(row.revision)))
    if (rows.length < AT_ONCE) break
  }
  return current
}

function applyChange({ index, tags }: Indexed, row: Row): void {
  const id = String(row.id)
  if (row.deleted_at !== null) {
    index.remove(id)
    tags.delete(id)
    return
  }
  const note = toNote(row)
  const tagged = tagsOf(note)
  // The map is kept in the order of the changes.
  tags.delete(id)
  tags.set(id, tagged)
  index.put({
    id,
    fields: {
      title: note.title,
      aliases: note.aliases.join(' '),
      tags: tagged.join(' '),
      body: note.body,
    },
  })
}

function createIndex(): Indexed {
  return { index: miniSearchIndex(), tags: new Map(), seen: 0 }
}

function keyOf({ tenant, owner }: Person): string {
  return JSON.stringify([tenant, owner])
}

function findIndex(data: PersonalData, person: Person): Indexed {
  return indexes.get(data)?.get(keyOf(person)) ?? createIndex()
}

// Evicts the index that was used least recently.
function storeIndex(data: PersonalData, person: Person, indexed: Indexed): void {
  const known = indexes.get(data) ?? new Map<string, Indexed>()
  indexes.set(data, known)
  known.delete(keyOf(person))
  known.set(keyOf(person), indexed)
  const [oldest] = known.keys()
  if (known.size > MOST_PEOPLE && oldest !== undefined) known.delete(oldest)
}
