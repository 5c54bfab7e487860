import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { inject, onTestFinished } from 'vitest'
import { checkoutGate } from './gate-suite.ts'

checkoutGate(async () => {
  const url = await createEmptyDatabase(inject('postgres'))
  onTestFinished(() => dropDatabase(url))
  return url
})
