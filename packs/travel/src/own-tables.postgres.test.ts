import { openPostgres } from '@surehand/sql'
import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { inject, test } from 'vitest'
import { exerciseOwnTables } from '../testing/own-tables.ts'
import { travelPack } from './pack.ts'

test('memories and shared links are stored in PostgreSQL', async () => {
  const url = await createEmptyDatabase(inject('postgres'))
  const stores = await openPostgres({
    packs: [travelPack],
    secretKeys: [new Uint8Array(32).fill(7)],
    url,
  })
  try {
    await exerciseOwnTables(stores)
  } finally {
    await stores.close()
    await dropDatabase(url)
  }
})
