import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import type { WriteExecution } from '../person.ts'
import { readDay } from '../task/due.ts'
import { DueField } from '../task/task-fields.ts'
import {
  buildWriteRequest,
  parseDates,
  readRequestTime,
  type WriteRequest,
} from '../task/write-request.ts'
import { type ReviewKind, reviewKeyDay } from './review-facts.ts'
import { ownRights, timeWrite } from './time-contract.ts'

type ReviewNote = {
  readonly kind: ReviewKind
  readonly day?: string | undefined
  readonly notes: string
}

const UPSERT = `insert into pm_reviews (tenant, owner, kind, day, body, written_at) values (?, ?, ?, ?, ?, ?)
  on conflict (tenant, owner, kind, day) do update set body = excluded.body, written_at = excluded.written_at`

const noteReview = defineTransaction(
  'time.review_note',
  async (tx: Tx, call: WriteRequest<ReviewNote>) => {
    const localTime = await readRequestTime(tx, call)
    const { kind, notes } = call.input
    const day = reviewKeyDay(
      kind,
      call.input.day === undefined ? localTime.today : readDay(call.input.day, localTime, 'day'),
    )
    await tx.run(
      UPSERT,
      call.person.tenant,
      call.person.owner,
      kind,
      day,
      JSON.stringify({ notes }),
      localTime.now,
    )
    const what = kind === 'daily' ? day : `the week of ${day}`
    return { kind, day, notes, message: `Your words about ${what} are stored with its review.` }
  },
)

export const reviewNote = defineTool({
  id: 'time.review_note',
  title: 'Note on a review',
  category: 'time_management',
  description:
    'Store the person’s own words about a day or a week with its review. Earlier words are replaced.',
  version: '2.0.0',
  aliases: ['tools.time.review_note'],
  input: z.object({
    kind: z.enum(['daily', 'weekly']),
    day: DueField.optional().describe(
      'The day, or any day of the week: "yesterday", "2026-01-15". Today by default.',
    ),
    notes: z.string().trim().min(1).max(4000),
  }),
  output: z.object({
    kind: z.enum(['daily', 'weekly']),
    day: z.iso.date().describe('The day; for a week its Monday.'),
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
  transaction: transact(noteReview, (execution: WriteExecution<ReviewNote>) => ({
    ...buildWriteRequest(execution, 'time.write'),
    parsedDates: parseDates(execution.caller, execution.now(), [execution.input.day]),
  })),
})
