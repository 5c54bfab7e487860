import { noteReview } from './writes/note-review.ts'
import { startDeepWork } from './writes/start-deep-work.ts'
import { stopDeepWork } from './writes/stop-deep-work.ts'

/** Everything this family writes. */
export const timeTransactions = [startDeepWork, stopDeepWork, noteReview] as const
