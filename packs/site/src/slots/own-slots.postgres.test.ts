import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, inject } from 'vitest'
import { ownSlotsSuite } from '../fixtures/own-slots-suite.ts'

let postgresUrl = ''
// Before the suite, because hooks run in reverse: the app is closed before its database is dropped.
afterAll(() => dropDatabase(postgresUrl))
ownSlotsSuite(async () => {
  postgresUrl = await createEmptyDatabase(inject('postgres'))
  return { postgresUrl }
})
