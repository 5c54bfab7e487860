import { definePack } from '@surehand/core'
import { aiTools } from './ai/tools.ts'
import { dataTools } from './data/tools.ts'
import { habitTools } from './habit/tools.ts'
import { vaultFolder } from './knowledge/providers/vault-folder.ts'
import { knowledgeTools } from './knowledge/tools.ts'
import { vaultTools } from './knowledge/vault/tools.ts'
import type { Query } from './personal-data.ts'
import { projectTools } from './project/tools.ts'
import { systemTools } from './system/tools.ts'
import { TABLES } from './tables.ts'
import { taskTools } from './task/tools.ts'
import { timeTools } from './time/tools.ts'

/** The personal manager. */
export const personalPack = definePack({
  name: 'personal',
  tools: [
    ...habitTools,
    ...taskTools,
    ...projectTools,
    ...timeTools,
    ...knowledgeTools,
    ...dataTools,
    ...vaultTools,
    ...systemTools,
    ...aiTools,
  ],
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
  needs: {
    settings: {
      PERSONAL_VAULTS: { for: 'the folder in which each person has a vault of Markdown notes' },
    },
  },
  providers: ({ query, setting }) => ({
    personalData: { query: ({ sql, values }: Query) => query(sql, values) },
    personalVault: vaultFolder({ root: setting('PERSONAL_VAULTS'), query }),
  }),
})
