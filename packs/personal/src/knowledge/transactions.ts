import { defineTransaction, ToolError, type Tx } from '@surehand/core'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import { baseName, fileNameOf, folderOf, pathOf } from './file-name.ts'
import { findNote } from './find-note.ts'
import { freePath, holdNotes, keepNote } from './keep-note.ts'
import { type Json, type Note, noteOf } from './note.ts'
import { linksOf, noteInfo } from './note-view.ts'
import { vaultTransactions } from './vault/transactions.ts'

type Args = Person & { readonly now: number }

export type NewNote = Args & { readonly id: string; readonly note: Note; readonly folder: string }

const SAME_TITLE =
  'select title, path from pm_notes where tenant = ? and owner = ? and title_key = ? and deleted_at is null limit 1'
const BY_ID = 'select * from pm_notes where tenant = ? and id = ?'

export const addNote = defineTransaction('knowledge.note_add', async (tx, args: NewNote) => {
  // two of one title at once, in two folders, would both find it free
  await holdNotes(tx, args)
  const { tenant, owner, id, note } = args
  const same = await tx.get(SAME_TITLE, tenant, owner, nameKey(note.title))
  if (same !== undefined)
    throw new ToolError(
      'TOOL_RESOURCE_ALREADY_EXISTS',
      `There is a note called "${same.title}" already: give this one another title.`,
      {
        details: { title: same.title, path: same.path },
      },
    )
  const path = await freePath(tx, args, pathOf(folderOf(args.folder), fileNameOf(note.title)))
  await keepNote(tx, args, { ...args, path })
  return { note: await view(tx, args, id) }
})

export type NewLink = Args & {
  readonly from: string
  readonly to: string
  readonly relation: string
}

/** The link is written into the first note's front matter, where Obsidian shows it too. */
export const linkNotes = defineTransaction('knowledge.note_link', async (tx, args: NewLink) => {
  const from = await findNote(tx, args, args.from)
  const to = await findNote(tx, args, args.to)
  if (from.id === to.id)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `"${from.title}" can not be linked to itself: name another note.`,
    )
  const note = noteOf(from)
  const link = `[[${baseName(String(to.path))}]]`
  const links = listed(note.properties[args.relation])
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
  await keepNote(tx, args, {
    id: String(from.id),
    path: String(from.path),
    note: { ...note, properties },
    now: args.now,
    createdAt,
  })
  return {
    relation: args.relation,
    from: await view(tx, args, String(from.id)),
    to: await view(tx, args, String(to.id)),
  }
})

function listed(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

async function view(tx: Tx, { tenant, owner }: Person, id: string) {
  const row = await tx.get(BY_ID, tenant, id)
  if (row === undefined)
    throw new ToolError('TOOL_DATA_CORRUPTION', `The note ${id} was written and is not there.`)
  return { ...noteInfo(row), ...(await linksOf(tx.all, { tenant, owner, id })) }
}

/** Everything this family writes. */
export const knowledgeTransactions = [addNote, linkNotes, ...vaultTransactions] as const
