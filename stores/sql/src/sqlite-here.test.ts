import { callSuites } from '@surehand/conformance'
import { openSqliteSuiteHere } from '../testing/open-sqlite-suite.ts'

callSuites('on SQLite without a thread', openSqliteSuiteHere)
