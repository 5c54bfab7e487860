import { contractSuite, type OpenContractWorld } from '@surehand/conformance'
import { AGENT, openDiscoveryWorld, SYSTEM } from '../../testing/discovery-world.ts'
import { discoveryTools } from './discovery-tools.ts'
import { discoveryTransactionTools } from './transaction-tools.ts'

const open: OpenContractWorld = async (tool) => {
  const world = await openDiscoveryWorld()
  const [runtime] = world.nodes
  if (runtime === undefined) throw new Error('The world has no node.')
  return {
    runtime,
    clock: world.clock,
    caller: discoveryTransactionTools.includes(tool) ? SYSTEM : AGENT,
    async effects() {
      const [row] = await world.query(
        'select (select count(*) from external_feed_items) + (select coalesce(sum(taken), 0) from mk_discovery_budgets) as n',
      )
      return Number(row?.n)
    },
    hang: world.hang,
    fail: () => world.emulator.fail({ kind: '500' }, { times: 20 }),
    pause: world.pause,
    close: world.close,
  }
}

for (const tool of [...discoveryTools, ...discoveryTransactionTools]) contractSuite(tool, { open })
