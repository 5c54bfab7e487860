import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { inject, onTestFinished } from 'vitest'
import { noDoubleOrder } from './fixtures/no-double-order.ts'

// One of the two moments: each starts three processes.
noDoubleOrder(async () => {
  const postgresUrl = await createEmptyDatabase(inject('postgres'))
  onTestFinished(() => dropDatabase(postgresUrl))
  return { postgresUrl }
}, ['after'])
