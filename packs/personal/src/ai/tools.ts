import type { Tool } from '@surehand/core'
import { explainDecisionComparison } from './explain-decision-comparison.ts'
import { explainHabitPatterns } from './explain-habit-patterns.ts'
import { explainProjectHealth } from './explain-project-health.ts'
import { explainTaskRecommendation } from './explain-task-recommendation.ts'
import { explainTime } from './explain-time.ts'
import { recommend } from './recommend.ts'

export const aiTools: readonly Tool[] = [
  explainTaskRecommendation,
  explainHabitPatterns,
  explainProjectHealth,
  explainTime,
  explainDecisionComparison,
  recommend,
]
