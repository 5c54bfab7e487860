import type { Tool } from '@surehand/core'
import { explainDecisionComparison } from './ai/explain-decision-comparison.ts'
import { explainHabitPatterns } from './ai/explain-habit-patterns.ts'
import { explainProjectHealth } from './ai/explain-project-health.ts'
import { explainTaskRecommendation } from './ai/explain-task-recommendation.ts'
import { explainTime } from './ai/explain-time.ts'
import { recommend } from './ai/recommend.ts'
import { calendarFeed } from './data/calendar-feed.ts'
import { dataAnalyze } from './data/data-analyze.ts'
import { dataExport } from './data/data-export.ts'
import { dataReport } from './data/data-report.ts'
import { habitAnalyzePatterns } from './habit/habit-analyze-patterns.ts'
import { habitList } from './habit/habit-list.ts'
import { habitRecommend } from './habit/habit-recommend.ts'
import { habitStatus } from './habit/habit-status.ts'
import { habitTodayPlan } from './habit/habit-today-plan.ts'
import { noteSearch } from './knowledge/note-search.ts'
import { forgetVault } from './knowledge/vault/forget-vault.ts'
import { syncVault } from './knowledge/vault/sync-vault.ts'
import { vaultPlan } from './knowledge/vault/vault-plan.ts'
import { vaultWrite } from './knowledge/vault/vault-write.ts'
import { projectList } from './project/project-list.ts'
import { projectNextActions } from './project/project-next-actions.ts'
import { projectRisks } from './project/project-risks.ts'
import { projectSearch } from './project/project-search.ts'
import { projectStatistics } from './project/project-statistics.ts'
import { projectStatus } from './project/project-status.ts'
import { configGet } from './system/config-get.ts'
import { preferencesGet } from './system/preferences-get.ts'
import { systemStatus } from './system/system-status.ts'
import { taskDetails } from './task/task-details.ts'
import { taskList } from './task/task-list.ts'
import { taskNext } from './task/task-next.ts'
import { deepWorkReport } from './time/deep-work-report.ts'
import { planDay } from './time/plan-day.ts'
import { reviewDaily } from './time/review-daily.ts'
import { reviewWeekly } from './time/review-weekly.ts'
import {
  dataTransactionTools,
  habitTransactionTools,
  knowledgeTransactionTools,
  projectTransactionTools,
  systemTransactionTools,
  taskTransactionTools,
  timeTransactionTools,
  vaultTransactionTools,
} from './transaction-tools.ts'

export const habitTools: readonly Tool[] = [
  ...habitTransactionTools,
  habitList,
  habitStatus,
  habitTodayPlan,
  habitAnalyzePatterns,
  habitRecommend,
]

export const taskTools: readonly Tool[] = [...taskTransactionTools, taskNext, taskList, taskDetails]

export const projectTools: readonly Tool[] = [
  ...projectTransactionTools,
  projectList,
  projectStatus,
  projectSearch,
  projectNextActions,
  projectRisks,
  projectStatistics,
]

export const timeTools: readonly Tool[] = [
  ...timeTransactionTools,
  deepWorkReport,
  planDay,
  reviewDaily,
  reviewWeekly,
]

export const knowledgeTools: readonly Tool[] = [...knowledgeTransactionTools, noteSearch]

export const dataTools: readonly Tool[] = [
  ...dataTransactionTools,
  dataReport,
  dataAnalyze,
  dataExport,
  calendarFeed,
]

/** These need the port `personalVault`; its provider is knowledge/providers/vault-folder.ts. */
export const vaultTools: readonly Tool[] = [
  ...vaultTransactionTools,
  syncVault,
  vaultPlan,
  vaultWrite,
  forgetVault,
]

export const systemTools: readonly Tool[] = [
  ...systemTransactionTools,
  configGet,
  preferencesGet,
  systemStatus,
]

export const aiTools: readonly Tool[] = [
  explainTaskRecommendation,
  explainHabitPatterns,
  explainProjectHealth,
  explainTime,
  explainDecisionComparison,
  recommend,
]

/**
 * Every tool of the personal manager. A new tool needs its own file and one line: in
 * transaction-tools.ts if it has a transaction, otherwise here.
 */
export const personalTools: readonly Tool[] = [
  ...habitTools,
  ...taskTools,
  ...projectTools,
  ...timeTools,
  ...knowledgeTools,
  ...dataTools,
  ...vaultTools,
  ...systemTools,
  ...aiTools,
]
