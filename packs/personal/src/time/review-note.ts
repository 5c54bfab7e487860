import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { readAhead } from '../task/read-ahead.ts'
import { DueField } from '../task/task-fields.ts'
import { type Acting, writing } from '../task/writing.ts'
import { ownRights, timeWrite } from './time-contract.ts'
import { noteReview, type ReviewNote } from './writes/note-review.ts'

export const reviewNote = defineTool({
  id: 'time.review_note',
  title: 'Note on a review',
  category: 'time_management',
  description:
    'Keep the person’s own words about a day or a week with its review. Words that were there before are replaced.',
  version: '2.0.0',
  aliases: ['tools.time.review_note'],
  input: z.object({
    kind: z.enum(['daily', 'weekly']),
    day: DueField.optional().describe(
      'The day, or any day of the week: "yesterday", "2026-01-15". Today where it is left out.',
    ),
    notes: z.string().trim().min(1).max(4000),
  }),
  output: z.object({
    kind: z.enum(['daily', 'weekly']),
    day: z.iso.date().describe('The day; of a week its Monday.'),
    notes: z.string(),
    message: z.string(),
  }),
  contract: { ...timeWrite, permissions: ownRights('time.write') },
  examples: [
    {
      name: 'of today',
      input: { kind: 'daily', notes: 'The morning was good, the afternoon was meetings.' },
    },
    {
      name: 'of a week',
      input: { kind: 'weekly', day: '2026-01-14', notes: 'Fewer meetings next week.' },
    },
  ],
  transaction: transact(noteReview, (execution: Acting<ReviewNote>) => ({
    ...writing(execution, 'time.write'),
    ahead: readAhead(execution.caller, execution.now(), [execution.input.day]),
  })),
})
