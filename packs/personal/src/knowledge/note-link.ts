import { defineTool, defineTransaction, ToolError, type Tx, transact } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { z } from 'zod'
import { findOneNamed } from '../match-name.ts'
import { nameKey } from '../name-key.ts'
import { type Person, requireSelfScope, type WriteExecution } from '../person.ts'
import { baseName } from './file-name.ts'
import { type Json, toNote } from './note.ts'
import { readNoteView } from './note-view.ts'
import { NoteInfo, NoteLink, NoteName, Relation } from './shapes.ts'
import { storeNote } from './store-note.ts'

const THEIRS = 'tenant = ? and owner = ? and deleted_at is null'

const BY_NAME = `select * from pm_notes where ${THEIRS} and (title_key = ? or file_key = ?) limit 2`

const BY_ID = `select * from pm_notes where ${THEIRS} and id = ?`

const NAMES = `select id, title as name from pm_notes where ${THEIRS} order by title_key`

/**
 * Finds a note by title, file name or id. All titles are read only for a misspelt or partial name.
 */
async function findNote(
  tx: Pick<Tx, 'get' | 'all'>,
  { tenant, owner }: Person,
  query: string,
): Promise<Row> {
  const key = nameKey(query)
  const [exact, second] = await tx.all(BY_NAME, tenant, owner, key, key)
  if (exact !== undefined && second === undefined) return exact
  const byId = await tx.get(BY_ID, tenant, owner, query)
  if (byId !== undefined) return byId
  const names = (await tx.all(NAMES, tenant, owner)).map(({ id, name }) => ({
    id: String(id),
    name: String(name),
  }))
  const found = await tx.get(BY_ID, tenant, owner, findOneNamed(query, names, 'note').id)
  // Erased: the id was read in this transaction.
  return found as Row
}

type NewLink = Person & { readonly now: number } & {
  readonly from: string
  readonly to: string
  readonly relation: string
}

/** Writes the link into the front matter of the first note, where Obsidian shows it too. */
const linkNotes = defineTransaction('knowledge.note_link', async (tx, args: NewLink) => {
  const from = await findNote(tx, args, args.from)
  const to = await findNote(tx, args, args.to)
  if (from.id === to.id)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `"${from.title}" cannot be linked to itself. Name another note.`,
    )
  const note = toNote(from)
  const link = `[[${baseName(String(to.path))}]]`
  const links = toList(note.properties[args.relation])
  if (links.includes(link))
    throw new ToolError(
      'TOOL_RESOURCE_ALREADY_EXISTS',
      `"${from.title}" ${args.relation} "${to.title}" already.`,
      {
        details: { from: from.title, to: to.title, relation: args.relation },
      },
    )
  const properties = { ...note.properties, [args.relation]: [...links, link] }
  const createdAt = Number(from.created_at)
  await storeNote(tx, args, {
    id: String(from.id),
    path: String(from.path),
    note: { ...note, properties },
    now: args.now,
    createdAt,
  })
  return {
    relation: args.relation,
    from: await readNoteView(tx, args, String(from.id)),
    to: await readNoteView(tx, args, String(to.id)),
  }
})

function toList(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

const Input = z.object({
  from: NoteName,
  to: NoteName,
  relation: Relation.default('relates_to'),
})
const Linked = NoteInfo.extend({ links: z.array(NoteLink), backlinks: z.array(NoteLink) })
// Properties with another meaning in front matter.
const TAKEN = new Set([
  'title',
  'tags',
  'tag',
  'aliases',
  'alias',
  'cssclasses',
  'publish',
  'links_to',
])

export const noteLink = defineTool({
  id: 'knowledge.note_link',
  title: 'Link two notes',
  category: 'knowledge_management',
  description:
    "Link one note to another of the same person under a relation. The link is stored in the first note's front matter as a wiki link, so that Obsidian shows it; the second note has it among its backlinks.",
  version: '2.0.0',
  aliases: ['tools.knowledge.note_link'],
  input: Input,
  output: z.object({ relation: z.string(), from: Linked, to: Linked }),
  contract: {
    effect: 'writes.note',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [{ name: 'knowledge.write', scope: 'self_only' }],
    },
    securityLevel: 'confidential',
    limits: [
      { calls: 30, per: '1m' },
      { calls: 500, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'related',
      description: 'Two notes that belong together',
      input: { from: 'Garden plan', to: 'Seed list' },
    },
    {
      name: 'part_of',
      description: 'One note is part of another',
      input: { from: 'Seed list', to: 'Garden plan', relation: 'part_of' },
    },
  ],
  check: ({ input: { relation } }) => {
    if (TAKEN.has(relation))
      throw new ToolError(
        'TOOL_INVALID_FIELD_VALUE',
        `"${relation}" has another meaning in front matter. Choose another name for the relation.`,
        {
          details: {
            validation_errors: [{ field: 'relation', error: 'is taken', provided_value: relation }],
          },
        },
      )
  },
  transaction: transact(linkNotes, (execution: WriteExecution<z.output<typeof Input>>) => ({
    ...requireSelfScope(execution, 'knowledge.write'),
    now: execution.now(),
    ...execution.input,
  })),
})
