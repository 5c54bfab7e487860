import type { Tool } from '@surehand/core'
import { taskCapture } from './task-capture.ts'
import { taskClarify } from './task-clarify.ts'
import { taskComplete } from './task-complete.ts'
import { taskDefer } from './task-defer.ts'
import { taskDelegate } from './task-delegate.ts'
import { taskDelete } from './task-delete.ts'
import { taskDetails } from './task-details.ts'
import { taskList } from './task-list.ts'
import { taskNext } from './task-next.ts'
import { taskOrganize } from './task-organize.ts'

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
