import { promises as timers } from 'node:timers'
import { defineTool } from '@surehand/core'
import { z } from 'zod'

const SHELF_MS = 400

export const countStock = defineTool({
  id: 'shop.countStock',
  title: 'Count the stock',
  category: 'integration',
  description:
    'Counts the stock of the demo shop, one shelf at a time. It takes a while and reports its progress.',
  kind: 'async',
  input: z.object({ shelves: z.int().min(1).max(100).default(5) }),
  output: z.object({ shelves: z.int(), items: z.int(), note: z.string() }),
  contract: { effect: 'read', timeout: '1m' },
  examples: [{ name: 'five shelves', input: { shelves: 5 } }],
  execute: async ({ input: { shelves }, report, signal }) => {
    for (let shelf = 1; shelf <= shelves; shelf++) {
      await timers.setTimeout(SHELF_MS, undefined, { signal })
      report({ fraction: shelf / shelves, message: `shelf ${shelf} of ${shelves}` })
    }
    return { shelves, items: shelves * 42, note: 'a demo: every shelf holds 42 items' }
  },
})
