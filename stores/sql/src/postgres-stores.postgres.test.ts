import { storeSuites } from '@surehand/conformance'
import { inject } from 'vitest'
import { createDatabase, dropDatabase } from '../testing/create-database.ts'
import { suitePack } from '../testing/suite-pack.ts'
import { openTestClock } from '../testing/test-clock.ts'
import { openPostgres } from './open-postgres.ts'

storeSuites('on PostgreSQL', async ({ schema }) => {
  const url = await createDatabase(inject('postgres'))
  const stores = await openPostgres({ url, packs: [suitePack(schema)], time: 'shifted' })
  const clock = await openTestClock(url)
  return {
    stores,
    now: clock.now,
    advance: clock.advance,
    async close() {
      await clock.close()
      await stores.close()
      await dropDatabase(url)
    },
  }
})
