import { runCallSuite } from '../harness/call-suite.ts'
import { suite } from './suite.ts'

await runCallSuite(suite, new URL('suite.ts', import.meta.url).href)
