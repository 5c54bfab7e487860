import { contractSuite } from '@surehand/conformance'
import { worldOpener } from '../../testing/personal-world.ts'
import { projectSeed } from './fixtures/seed.ts'
import { projectTools } from './tools.ts'

for (const tool of projectTools) contractSuite(tool, { open: worldOpener(() => projectSeed) })
