import { contractSuite, fakeClock, type OpenContractWorld } from '@surehand/conformance'
import { type Caller, createRuntime, definePack, memoryStores } from '@surehand/core'
import { TABLES } from './tables.ts'
import { siteTransactionTools } from './transaction-tools.ts'
import { OPERATE } from './visitor-contract.ts'

const SEED = [
  `insert into site_contracts values ('shop', '{"version":1,"name":"Shop","origins":["https://shop.example"]}', 0, 1, 'olga')`,
  `insert into site_slots values ('shop', 'slot_fitting_1', 'fitting', 'Fitting', 4000000000000, 4000003600000, 'UTC', 4000, 'EUR', 1, 'Free.', 0, 4000)`,
  `insert into site_bookings values ('shop', 'bkg_1', 'slot_fitting_2', 'ses_0123456789abcdef', 'booked', 'Fitting', 4000000000000, 4000003600000, 'UTC', 4000, 'EUR', 'Free.', 0, 4000, null, null, null, 1)`,
  `insert into site_keys values ('pk_demo', 'shop', 'Demo', 1, null)`,
]
const SYSTEM: Caller = {
  tenant: 'shop',
  principal: 'system',
  actor: 'system',
  roles: ['admin'],
  capabilities: [OPERATE],
}

const open: OpenContractWorld = async (tool) => {
  const clock = fakeClock()
  const schema = [
    ...TABLES.flatMap(({ statements }) => (Array.isArray(statements) ? statements : [])),
    ...SEED,
  ]
  const stores = memoryStores({ clock, schema })
  let effects = 0
  const counted = {
    ...tool,
    work:
      tool.work.kind === 'transaction'
        ? {
            ...tool.work,
            apply: async (...given: Parameters<typeof tool.work.apply>) => {
              effects++
              return tool.work.kind === 'transaction' ? tool.work.apply(...given) : undefined
            },
          }
        : tool.work,
  }
  const runtime = createRuntime({
    packs: [definePack({ name: 'site', tools: [counted] })],
    stores,
    clock,
  })
  return {
    runtime,
    clock,
    caller: SYSTEM,
    effects: () => effects,
    hang: () => undefined,
    fail: () => undefined,
    heal: () => undefined,
    close: () => runtime.stop(),
  }
}

for (const tool of siteTransactionTools) contractSuite(tool, { open })
