import { defineTransaction, type Tx } from '@surehand/core'
import { readDay } from '../../task/due.ts'
import { hereWhen, type Writing } from '../../task/writing.ts'
import { type ReviewKind, reviewDay } from '../review-day.ts'

export type ReviewNote = {
  readonly kind: ReviewKind
  readonly day?: string | undefined
  readonly notes: string
}

const UPSERT = `insert into pm_reviews (tenant, owner, kind, day, body, written_at) values (?, ?, ?, ?, ?, ?)
  on conflict (tenant, owner, kind, day) do update set body = excluded.body, written_at = excluded.written_at`

export const noteReview = defineTransaction(
  'time.review_note',
  async (tx: Tx, call: Writing<ReviewNote>) => {
    const here = await hereWhen(tx, call)
    const { kind, notes } = call.input
    const day = reviewDay(
      kind,
      call.input.day === undefined ? here.today : readDay(call.input.day, here, 'day'),
    )
    await tx.run(
      UPSERT,
      call.person.tenant,
      call.person.owner,
      kind,
      day,
      JSON.stringify({ notes }),
      here.now,
    )
    const what = kind === 'daily' ? day : `the week of ${day}`
    return { kind, day, notes, message: `Your words about ${what} are kept with its review.` }
  },
)
