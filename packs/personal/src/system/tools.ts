import type { Tool } from '@surehand/core'
import { configGet } from './config-get.ts'
import { configSet } from './config-set.ts'
import { preferencesGet } from './preferences-get.ts'
import { preferencesSet } from './preferences-set.ts'
import { systemStatus } from './status.ts'

export const systemTools: readonly Tool[] = [
  configGet,
  configSet,
  preferencesGet,
  preferencesSet,
  systemStatus,
]
