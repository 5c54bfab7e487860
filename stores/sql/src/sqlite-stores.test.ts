import { sharedStoreSuites } from '@surehand/conformance'
import { openSqliteSuite } from '../testing/open-sqlite-suite.ts'

sharedStoreSuites('on SQLite', openSqliteSuite)
