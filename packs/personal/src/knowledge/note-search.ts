import { defineTool, ToolError } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import type { TextIndex } from '@surehand/core/ports'
import { miniSearchIndex } from '@surehand/discovery'
import { z } from 'zod'
import { type Person, requireSelfScope } from '../person.ts'
import { bindReader, type PersonalData, personalData, type Reader } from '../personal-data.ts'
import { tagsOf } from './markdown-note.ts'
import { toNote } from './note.ts'
import { noteInfo, readLinks } from './note-view.ts'
import { NoteInfo, NoteLink, NoteTag } from './shapes.ts'

const Found = NoteInfo.extend({
  snippet: z.string(),
  score: z.number(),
  body: z.string().optional(),
  links: z.array(NoteLink).optional(),
  backlinks: z.array(NoteLink).optional(),
})

export const noteSearch = defineTool({
  id: 'knowledge.note_search',
  title: 'Search notes',
  category: 'knowledge_management',
  description:
    "Find a person's own notes by words of their title, text and tags; word beginnings and small misspellings match too. Without a query the newest come first. With detail `full` each note is returned whole, with its links and backlinks: use a small limit then.",
  version: '2.0.0',
  aliases: ['tools.knowledge.note_search'],
  input: z.object({
    query: z.string().min(1).max(500).optional(),
    tag: NoteTag.optional().describe(
      'Only notes with this tag, or one below it (garden finds garden/roses).',
    ),
    detail: z.enum(['snippet', 'full']).default('snippet'),
    limit: z.int().min(1).max(200).default(20),
    cursor: z.string().max(40).optional().describe('next_cursor of the previous page.'),
  }),
  output: z.object({ notes: z.array(Found), total: z.int(), next_cursor: z.string().optional() }),
  contract: {
    effect: 'read',
    permissions: {
      roles: ['user'],
      capabilities: [{ name: 'knowledge.read', scope: 'self_only' }],
    },
    securityLevel: 'confidential',
    limits: [
      { calls: 60, per: '1m' },
      { calls: 1_000, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    {
      name: 'by_words',
      description: 'Notes about planting, misspelt',
      input: { query: 'gardn plan' },
    },
    {
      name: 'by_tag',
      description: 'Everything with a tag',
      input: { tag: 'garden', detail: 'full' },
    },
  ],
  execute: async (execution) => {
    const { query, tag, detail, limit, cursor } = execution.input
    const person = requireSelfScope(execution, 'knowledge.read')
    const read = bindReader(execution)
    const hits = await searchNotes({ data: execution.ports.data, read, person }, { query, tag })
    const from = parseOffset(cursor)
    const page = hits.slice(from, from + limit)
    const rows = await readRows(read, person, page)
    const notes = page.flatMap(({ id, score }) => {
      const row = rows.get(id)
      return row === undefined
        ? []
        : [{ ...noteInfo(row), snippet: cutSnippet(String(row.body), query ?? ''), score, row }]
    })
    const answers = await Promise.all(
      notes.map(({ row, ...note }) =>
        detail === 'full' ? withDetails(read, person, { row, note }) : note,
      ),
    )
    const next = from + limit
    return {
      notes: answers,
      total: hits.length,
      ...(next < hits.length ? { next_cursor: String(next) } : {}),
    }
  },
})

function parseOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const place = /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined
  if (place !== undefined) return place
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    'The cursor is not valid for this list. Send next_cursor as it was returned, or leave it out to start at the first page.',
  )
}

async function readRows(
  read: Reader,
  { tenant, owner }: Person,
  hits: readonly Hit[],
): Promise<ReadonlyMap<string, Row>> {
  if (hits.length === 0) return new Map()
  const marks = hits.map(() => '?').join(', ')
  const found = await read(
    `select * from pm_notes where tenant = ? and owner = ? and deleted_at is null and id in (${marks})`,
    ...[tenant, owner, ...hits.map(({ id }) => id)],
  )
  return new Map(found.map((row) => [String(row.id), row]))
}

async function withDetails<N>(
  read: Reader,
  person: Person,
  { row, note }: { readonly row: Row; readonly note: N },
) {
  return {
    ...note,
    body: String(row.body),
    ...(await readLinks(read, { ...person, id: String(row.id) })),
  }
}

const AROUND = 80

const LONGEST = 240

/** The part of a text around the searched words; its beginning when none of them occurs. */
export function cutSnippet(body: string, query: string): string {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
  const at = words.map((word) => body.search(new RegExp(word, 'iu'))).filter((index) => index >= 0)
  const from = at.length === 0 ? 0 : Math.max(0, Math.min(...at) - AROUND)
  const part = withoutHalfCharacters(body.slice(from, from + LONGEST))
    .replace(/\s+/g, ' ')
    .trim()
  return `${from > 0 ? '…' : ''}${part}${from + LONGEST < body.length ? '…' : ''}`
}

// An unpaired surrogate is not valid text.
function withoutHalfCharacters(part: string): string {
  return part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

type Hit = { readonly id: string; readonly score: number }
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
async function searchNotes(
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
