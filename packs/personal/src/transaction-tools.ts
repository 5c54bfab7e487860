import type { Tool } from '@surehand/core'
import { dataImport } from './data/data-import.ts'
import { deleteAll } from './data/delete-all.ts'
import { habitCreate } from './habit/habit-create.ts'
import { habitDelete } from './habit/habit-delete.ts'
import { habitRecordCompletion } from './habit/habit-record-completion.ts'
import { habitUpdate } from './habit/habit-update.ts'
import { noteAdd } from './knowledge/note-add.ts'
import { noteLink } from './knowledge/note-link.ts'
import { vaultTake } from './knowledge/vault/vault-take.ts'
import { projectCreate } from './project/project-create.ts'
import { projectUpdate } from './project/project-update.ts'
import { configSet } from './system/config-set.ts'
import { preferencesSet } from './system/preferences-set.ts'
import { taskCapture } from './task/task-capture.ts'
import { taskClarify } from './task/task-clarify.ts'
import { taskComplete } from './task/task-complete.ts'
import { taskDefer } from './task/task-defer.ts'
import { taskDelegate } from './task/task-delegate.ts'
import { taskDelete } from './task/task-delete.ts'
import { taskOrganize } from './task/task-organize.ts'
import { deepWorkStart } from './time/deep-work-start.ts'
import { deepWorkStop } from './time/deep-work-stop.ts'
import { reviewNote } from './time/review-note.ts'

// The tools whose effect is a transaction. SQLite's writer thread loads this module and nothing else
// of the pack, so a tool without a transaction belongs in tools.ts: it would delay every start.

export const habitTransactionTools: readonly Tool[] = [
  habitCreate,
  habitUpdate,
  habitDelete,
  habitRecordCompletion,
]

export const taskTransactionTools: readonly Tool[] = [
  taskCapture,
  taskClarify,
  taskComplete,
  taskDefer,
  taskDelegate,
  taskDelete,
  taskOrganize,
]

export const projectTransactionTools: readonly Tool[] = [projectCreate, projectUpdate]

export const timeTransactionTools: readonly Tool[] = [deepWorkStart, deepWorkStop, reviewNote]

export const knowledgeTransactionTools: readonly Tool[] = [noteAdd, noteLink]

export const dataTransactionTools: readonly Tool[] = [dataImport, deleteAll]

export const vaultTransactionTools: readonly Tool[] = [vaultTake]

export const systemTransactionTools: readonly Tool[] = [configSet, preferencesSet]
