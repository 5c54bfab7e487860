import type { Tool } from '@surehand/core'
import { deepWorkReport } from './deep-work-report.ts'
import { deepWorkStart } from './deep-work-start.ts'
import { deepWorkStop } from './deep-work-stop.ts'
import { planDay } from './plan-day.ts'
import { reviewDaily } from './review-daily.ts'
import { reviewNote } from './review-note.ts'
import { reviewWeekly } from './review-weekly.ts'

export const timeTools: readonly Tool[] = [
  deepWorkStart,
  deepWorkStop,
  deepWorkReport,
  planDay,
  reviewDaily,
  reviewWeekly,
  reviewNote,
]
