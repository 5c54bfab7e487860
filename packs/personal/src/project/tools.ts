import type { Tool } from '@surehand/core'
import { projectCreate } from './project-create.ts'
import { projectList } from './project-list.ts'
import { projectNextActions } from './project-next-actions.ts'
import { projectRisks } from './project-risks.ts'
import { projectSearch } from './project-search.ts'
import { projectStatistics } from './project-statistics.ts'
import { projectStatus } from './project-status.ts'
import { projectUpdate } from './project-update.ts'

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
