import type { Tool } from '@surehand/core'
import { habitAnalyzePatterns } from './habit-analyze-patterns.ts'
import { habitCreate } from './habit-create.ts'
import { habitDelete } from './habit-delete.ts'
import { habitList } from './habit-list.ts'
import { habitRecommend } from './habit-recommend.ts'
import { habitRecordCompletion } from './habit-record-completion.ts'
import { habitStatus } from './habit-status.ts'
import { habitTodayPlan } from './habit-today-plan.ts'
import { habitUpdate } from './habit-update.ts'

export const habitTools: readonly Tool[] = [
  habitCreate,
  habitList,
  habitStatus,
  habitUpdate,
  habitDelete,
  habitRecordCompletion,
  habitTodayPlan,
  habitAnalyzePatterns,
  habitRecommend,
]
