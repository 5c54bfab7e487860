import { contractSuite } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { EXAMPLE_ROWS } from '../testing/market-rows.ts'
import { type MarketDatabase, openMarketDatabase } from '../testing/market-world.ts'
import { documentTools, internalTools } from './pack.ts'

let database: Promise<MarketDatabase> | undefined
afterAll(async () => (await database)?.close())

const open = async () => {
  database ??= openMarketDatabase()
  const world = await (await database).open({
    rows: EXAMPLE_ROWS,
    settings: { CALLING_ENABLED: 'true', OCR_ENABLED: 'true', WHATSAPP_CALL_OFFER: 'v=0' },
  })
  await world.given.values.set(world.tenant, 'marketplace/call-offer', 'v=0 of an operator')
  return world
}

for (const tool of [...documentTools, ...internalTools]) contractSuite(tool, { open })
