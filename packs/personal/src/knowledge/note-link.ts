import { defineTool, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { type Given, oneself } from '../data/oneself.ts'
import { NoteInfo, NoteLink, NoteName, Relation } from './shapes.ts'
import { linkNotes } from './transactions.ts'

const Input = z.object({
  from: NoteName,
  to: NoteName,
  relation: Relation.default('relates_to'),
})
const Linked = NoteInfo.extend({ links: z.array(NoteLink), backlinks: z.array(NoteLink) })
// these mean something else in front matter
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
    "Links one note to another of the same person under a relation. It is kept in the first note's front matter as a wiki link, so that Obsidian shows it; the second note has it among its backlinks.",
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
        `"${relation}" means something else in a note: call the relation otherwise.`,
        {
          details: {
            validation_errors: [{ field: 'relation', error: 'is taken', provided_value: relation }],
          },
        },
      )
  },
  transaction: transact(linkNotes, (execution: Given<z.output<typeof Input>>) => ({
    ...oneself(execution, 'knowledge.write'),
    now: execution.now(),
    ...execution.input,
  })),
})
