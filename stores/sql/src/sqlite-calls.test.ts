import { callSuites } from '@surehand/conformance'
import { openSqliteSuite } from '../testing/open-sqlite-suite.ts'

callSuites('on SQLite', openSqliteSuite)
