import { definePack } from '@surehand/core'
import { vaultFolder } from './knowledge/providers/vault-folder.ts'
import type { Query } from './personal-data.ts'
import { TABLES } from './tables.ts'
import { personalTools } from './tools.ts'
import { implementationOf } from './v1/personal-migration.ts'
import { v1Route } from './v1/personal-v1.ts'

/**
 * The personal manager: habits, tasks, projects, time, notes, and explanations computed from them.
 */
export const personalPack = definePack({
  name: 'personal',
  tools: personalTools,
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
  publication: {
    // The date of the document that defines them, and of their last change.
    created: '2025-01-15',
    updated: '2026-11-16',
    implementation: implementationOf,
  },
  routes: [v1Route],
  views: [
    {
      name: 'day',
      title: 'Your day',
      summary: 'The blocks of a day, its habits, and what found no place in it.',
      tools: ['time.plan_day', 'habit.today_plan'],
      fields: { day: 'Day' },
      load: () => import('./views/day.ts'),
    },
  ],
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
  needs: {
    settings: {
      PERSONAL_VAULTS: {
        for: 'the folder that contains a vault of Markdown notes for each person',
      },
    },
  },
  providers: ({ query, setting }) => ({
    personalData: { query: ({ sql, values }: Query) => query(sql, values) },
    personalVault: vaultFolder({ root: setting('PERSONAL_VAULTS'), query }),
  }),
})
