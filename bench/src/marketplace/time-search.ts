import { join } from 'node:path'
import { createApp } from '../../../apps/server/src/app.ts'
import { readConfig } from '../../../apps/server/src/config/read-config.ts'
import type { Caller } from '../../../core/src/index.ts'
import { seededRandom } from '../../../testing/src/seeded-random.ts'
import { timeToolCall } from '../harness/time-tool-call.ts'
import { CATEGORIES, fillMarket } from './fill-market.ts'

const VENDORS = 20_000
const REQUESTS = 200
const WARM_UP = 50

const OPERATOR: Caller = {
  tenant: 'demo',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  session: 's',
}

/** Times `marketplace.search_vendors` over 20,000 vendors: through the whole pipeline, on SQLite. */
export async function timeSearches(
  folder: string,
  calls: number,
): Promise<{ readonly vendors: number; readonly timesMs: readonly number[] }> {
  const config = await readConfig({
    env: {},
    folder,
    overrides: { data: folder, builtIn: ['marketplace'], home: 'demo', logLevel: 'silent' },
  })
  // Creates the tables.
  await (await createApp(config)).close()
  fillMarket(join(folder, 'surehand.db'), 'demo', { vendors: VENDORS, requests: REQUESTS })
  const { runtime, close } = await createApp(config)
  const random = seededRandom('searches')
  try {
    const timesMs: number[] = []
    for (let call = 0; call < calls + WARM_UP; call++) {
      const { outcome, tookMs } = await timeToolCall(runtime, {
        tool: 'marketplace.search_vendors',
        caller: OPERATOR,
        input: {
          request_id: `r${random.whole(0, REQUESTS - 1)}`,
          category: random.pick(CATEGORIES),
          limit: 15,
          // The largest radius reads the most rows.
          filters: { location_radius_km: random.pick([2, 5, 15]) },
        },
      })
      if (outcome.status !== 'done')
        throw new Error(`search_vendors: ${JSON.stringify(outcome).slice(0, 300)}`)
      if (call >= WARM_UP) timesMs.push(tookMs)
    }
    return { vendors: VENDORS, timesMs }
  } finally {
    await close()
  }
}
