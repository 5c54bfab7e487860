import { houseSuites } from '@surehand/conformance'
import { openSqliteSuite } from '../testing/open-sqlite-suite.ts'

houseSuites('on SQLite', openSqliteSuite)
