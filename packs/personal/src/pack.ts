import { definePack } from '@surehand/core'
import { aiTools } from './ai/tools.ts'
import { dataTools } from './data/tools.ts'
import { habitTools } from './habit/tools.ts'
import { knowledgeTools } from './knowledge/tools.ts'
import { projectTools } from './project/tools.ts'
import { systemTools } from './system/tools.ts'
import { TABLES } from './tables.ts'
import { taskTools } from './task/tools.ts'
import { timeTools } from './time/tools.ts'

/** The personal manager. */
export const personalPack = definePack({
  name: 'personal',
  tools: [...habitTools, ...taskTools, ...projectTools, ...timeTools, ...knowledgeTools, ...dataTools, ...systemTools, ...aiTools],
  grants: {
    user: [
      'time.read',
      'time.write',
      'knowledge.read',
      'knowledge.write',
      'data.report',
      'data.import',
      'task.delete',
      'preferences.read',
      'preferences.write',
    ],
  },
  data: { migrations: TABLES, transactions: new URL('./transactions.ts', import.meta.url).href },
  providers: ({ query }) => ({
    personalData: { query: ({ sql, values }: { sql: string; values: readonly (string | number | null)[] }) => query(sql, values) },
  }),
})
