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
import { dataImport } from './data/data-import.ts'
import { dataReport } from './data/data-report.ts'
import { deleteAll } from './data/delete-all.ts'
import { habitAnalyzePatterns } from './habit/habit-analyze-patterns.ts'
import { habitCreate } from './habit/habit-create.ts'
import { habitDelete } from './habit/habit-delete.ts'
import { habitList } from './habit/habit-list.ts'
import { habitRecommend } from './habit/habit-recommend.ts'
import { habitRecordCompletion } from './habit/habit-record-completion.ts'
import { habitStatus } from './habit/habit-status.ts'
import { habitTodayPlan } from './habit/habit-today-plan.ts'
import { habitUpdate } from './habit/habit-update.ts'
import { noteAdd } from './knowledge/note-add.ts'
import { noteLink } from './knowledge/note-link.ts'
import { noteSearch } from './knowledge/note-search.ts'
import { forgetVault } from './knowledge/vault/forget-vault.ts'
import { syncVault } from './knowledge/vault/sync-vault.ts'
import { vaultPlan } from './knowledge/vault/vault-plan.ts'
import { vaultTake } from './knowledge/vault/vault-take.ts'
import { vaultWrite } from './knowledge/vault/vault-write.ts'
import { projectCreate } from './project/project-create.ts'
import { projectList } from './project/project-list.ts'
import { projectNextActions } from './project/project-next-actions.ts'
import { projectRisks } from './project/project-risks.ts'
import { projectSearch } from './project/project-search.ts'
import { projectStatistics } from './project/project-statistics.ts'
import { projectStatus } from './project/project-status.ts'
import { projectUpdate } from './project/project-update.ts'
import { configGet } from './system/config-get.ts'
import { configSet } from './system/config-set.ts'
import { preferencesGet } from './system/preferences-get.ts'
import { preferencesSet } from './system/preferences-set.ts'
import { systemStatus } from './system/system-status.ts'
import { taskCapture } from './task/task-capture.ts'
import { taskClarify } from './task/task-clarify.ts'
import { taskComplete } from './task/task-complete.ts'
import { taskDefer } from './task/task-defer.ts'
import { taskDelegate } from './task/task-delegate.ts'
import { taskDelete } from './task/task-delete.ts'
import { taskDetails } from './task/task-details.ts'
import { taskList } from './task/task-list.ts'
import { taskNext } from './task/task-next.ts'
import { taskOrganize } from './task/task-organize.ts'
import { deepWorkReport } from './time/deep-work-report.ts'
import { deepWorkStart } from './time/deep-work-start.ts'
import { deepWorkStop } from './time/deep-work-stop.ts'
import { planDay } from './time/plan-day.ts'
import { reviewDaily } from './time/review-daily.ts'
import { reviewNote } from './time/review-note.ts'
import { reviewWeekly } from './time/review-weekly.ts'

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

export const taskTools: readonly Tool[] = [
  taskCapture,
  taskClarify,
  taskNext,
  taskList,
  taskDetails,
  taskComplete,
  taskDefer,
  taskDelegate,
  taskDelete,
  taskOrganize,
]

export const projectTools: readonly Tool[] = [
  projectCreate,
  projectUpdate,
  projectList,
  projectStatus,
  projectSearch,
  projectNextActions,
  projectRisks,
  projectStatistics,
]

export const timeTools: readonly Tool[] = [
  deepWorkStart,
  deepWorkStop,
  deepWorkReport,
  planDay,
  reviewDaily,
  reviewWeekly,
  reviewNote,
]

export const knowledgeTools: readonly Tool[] = [noteAdd, noteSearch, noteLink]

export const dataTools: readonly Tool[] = [
  dataReport,
  dataAnalyze,
  dataExport,
  dataImport,
  calendarFeed,
  deleteAll,
]

/** These need the port `personalVault`; its provider is knowledge/providers/vault-folder.ts. */
export const vaultTools: readonly Tool[] = [
  syncVault,
  vaultPlan,
  vaultTake,
  vaultWrite,
  forgetVault,
]

export const systemTools: readonly Tool[] = [
  configGet,
  configSet,
  preferencesGet,
  preferencesSet,
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
 * Every tool of the personal manager. The SQLite writer thread loads this module too: it finds a
 * write tool's transaction in the tool itself, so a new tool needs its own file and its line here.
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
