import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { type Given, oneself } from '../data/oneself.ts'
import { NoteBody, NoteInfo, NoteLink, NoteTags, NoteTitle } from './shapes.ts'
import { addNote } from './transactions.ts'

const Input = z.object({
  title: NoteTitle.describe('What the note is called; other notes link to it as [[title]].'),
  body: NoteBody.default('').describe(
    'Markdown. [[Another title]] links to another note, #word is a tag.',
  ),
  tags: NoteTags.default([]),
  aliases: z.array(NoteTitle).max(20).default([]).describe('Other names it goes by.'),
  folder: z
    .string()
    .max(300)
    .default('')
    .describe('Where its file stands in a vault, such as Projects/House.'),
})

export const noteAdd = defineTool({
  id: 'knowledge.note_add',
  title: 'Add a note',
  category: 'knowledge_management',
  description:
    'Writes down a note of one person in Markdown, with tags and [[links]] to other notes. A title is used once: to link two notes use knowledge.note_link, to find one use knowledge.note_search.',
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
      description: 'Something to fill in later',
      input: { title: 'Ideas for the shed' },
    },
  ],
  transaction: transact(addNote, (execution: Given<z.output<typeof Input>>) => {
    const { title, body, tags, aliases, folder } = execution.input
    const note = {
      title,
      body,
      tags: [...new Set(tags.map((tag) => tag.replace(/^#/, '')))],
      aliases,
      properties: {},
    }
    return {
      ...oneself(execution, 'knowledge.write'),
      now: execution.now(),
      id: execution.newId('note'),
      note,
      folder,
    }
  }),
})
