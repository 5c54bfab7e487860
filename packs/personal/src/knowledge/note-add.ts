import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { nameKey } from '../name-key.ts'
import { type Person, requireSelfScope, type WriteExecution } from '../person.ts'
import { cleanFolder, fileNameOf, pathOf } from './file-name.ts'
import type { Note } from './note.ts'
import { readNoteView } from './note-view.ts'
import { NoteBody, NoteInfo, NoteLink, NoteTags, NoteTitle } from './shapes.ts'
import { findFreePath, lockNotes, storeNote } from './store-note.ts'

type NewNote = Person & { readonly now: number } & {
  readonly id: string
  readonly note: Note
  readonly folder: string
}

const SAME_TITLE =
  'select title, path from pm_notes where tenant = ? and owner = ? and title_key = ? and deleted_at is null limit 1'

const addNote = defineTransaction('knowledge.note_add', async (tx, args: NewNote) => {
  // Without the lock, two concurrent calls with the same title in different folders would both
  // succeed.
  await lockNotes(tx, args)
  const { tenant, owner, id, note } = args
  const same = await tx.get(SAME_TITLE, tenant, owner, nameKey(note.title))
  if (same !== undefined)
    throw new ToolError(
      'TOOL_RESOURCE_ALREADY_EXISTS',
      `A note called "${same.title}" already exists. Choose another title.`,
      {
        details: { title: same.title, path: same.path },
      },
    )
  const path = await findFreePath(
    tx,
    args,
    pathOf(cleanFolder(args.folder), fileNameOf(note.title)),
  )
  await storeNote(tx, args, { ...args, path })
  return { note: await readNoteView(tx, args, id) }
})

const Input = z.object({
  title: NoteTitle.describe('The title of the note; other notes link to it as [[title]].'),
  body: NoteBody.default('').describe(
    'Markdown. [[Another title]] links to another note, #word is a tag.',
  ),
  tags: NoteTags.default([]),
  aliases: z.array(NoteTitle).max(20).default([]).describe('Other names of the note.'),
  folder: z
    .string()
    .max(300)
    .default('')
    .describe('The folder of its file in a vault, such as Projects/House.'),
})

export const noteAdd = defineTool({
  id: 'knowledge.note_add',
  title: 'Add a note',
  category: 'knowledge_management',
  description:
    'Add a Markdown note of one person, with tags and [[links]] to other notes. Titles are unique: to link two notes use knowledge.note_link, to find one use knowledge.note_search.',
  version: '2.0.0',
  aliases: ['tools.knowledge.note_add'],
  input: Input,
  output: z.object({
    note: NoteInfo.extend({ links: z.array(NoteLink), backlinks: z.array(NoteLink) }),
  }),
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
      name: 'with_links',
      description: 'A note that links to another',
      input: {
        title: 'Compost',
        body: 'Turn it once a week, see [[Garden plan]]. #garden',
        tags: ['howto'],
      },
    },
    {
      name: 'title_only',
      description: 'A note to fill in later',
      input: { title: 'Ideas for the shed' },
    },
  ],
  transaction: transact(addNote, (execution: WriteExecution<z.output<typeof Input>>) => {
    const { title, body, tags, aliases, folder } = execution.input
    const note = {
      title,
      body,
      tags: [...new Set(tags.map((tag) => tag.replace(/^#/, '')))],
      aliases,
      properties: {},
    }
    return {
      ...requireSelfScope(execution, 'knowledge.write'),
      now: execution.now(),
      id: execution.newId('note'),
      note,
      folder,
    }
  }),
})
