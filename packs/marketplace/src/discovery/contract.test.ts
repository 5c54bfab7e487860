import { contractSuite, type OpenContractWorld } from '@surehand/conformance'
import { afterAll } from 'vitest'
import {
  AGENT,
  type DiscoveryDatabase,
  openDiscoveryDatabase,
  openDiscoveryWorld,
  SYSTEM,
} from '../../testing/discovery-world.ts'
import { discoveryTools } from '../pack.ts'
import { discoveryTransactionTools } from './transaction-tools.ts'

let database: Promise<DiscoveryDatabase> | undefined
afterAll(async () => (await database)?.close())

const open: OpenContractWorld = async (tool) => {
  database ??= openDiscoveryDatabase()
  const { tenant, ...world } = await openDiscoveryWorld({ database: await database })
  const [runtime] = world.nodes
  if (runtime === undefined) throw new Error('The world has no node.')
  return {
    runtime,
    clock: world.clock,
    caller: { ...(discoveryTransactionTools.includes(tool) ? SYSTEM : AGENT), tenant },
    async effects() {
      const [row] = await world.query(
        `select (select count(*) from external_feed_items where tenant = ?)
          + (select coalesce(sum(taken), 0) from mk_discovery_budgets where tenant = ?) as n`,
        tenant,
        tenant,
      )
      return Number(row?.n)
    },
    hang: world.hang,
    fail: () => world.emulator.fail({ kind: '500' }, { times: 20 }),
    heal: world.heal,
    pause: world.pause,
    close: world.close,
  }
}

for (const tool of [...discoveryTools, ...discoveryTransactionTools]) contractSuite(tool, { open })
