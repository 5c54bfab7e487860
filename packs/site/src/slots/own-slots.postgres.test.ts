import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, inject } from 'vitest'
import { ownSlotsSuite } from '../fixtures/own-slots-suite.ts'

let postgresUrl = ''
ownSlotsSuite(async () => {
  postgresUrl = await createEmptyDatabase(inject('postgres'))
  return { postgresUrl }
})
afterAll(() => dropDatabase(postgresUrl))
