import { sharedStoreSuites } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { sqliteSuite } from '../testing/open-sqlite-suite.ts'

const suite = sqliteSuite('thread')
afterAll(suite.close)

sharedStoreSuites('on SQLite', suite.open)
