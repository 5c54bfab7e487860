import type { Tool } from '@surehand/core'
import { calendarFeed } from './calendar-feed.ts'
import { dataAnalyze } from './data-analyze.ts'
import { dataExport } from './data-export.ts'
import { dataImport } from './data-import.ts'
import { dataReport } from './data-report.ts'
import { deleteAll } from './delete-all.ts'

export const dataTools: readonly Tool[] = [
  dataReport,
  dataAnalyze,
  dataExport,
  dataImport,
  calendarFeed,
  deleteAll,
]
