import { callSuites } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { sqliteSuite } from '../testing/open-sqlite-suite.ts'

const suite = sqliteSuite('calling-thread')
afterAll(suite.close)

callSuites('on SQLite without a thread', suite.open)
