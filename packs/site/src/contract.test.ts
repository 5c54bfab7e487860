import { contractSuite } from '@surehand/conformance'
import { contractWorld } from './fixtures/tool-world.ts'
import { documentTools } from './tools.ts'

for (const tool of documentTools) contractSuite(tool, { open: contractWorld })
