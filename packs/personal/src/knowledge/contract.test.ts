import { contractSuite } from '@surehand/conformance'
import { worldOpener } from '../../testing/personal-world.ts'
import { KNOWLEDGE_SEED } from './fixtures/seed.ts'
import { knowledgeTools } from './tools.ts'

for (const tool of knowledgeTools) contractSuite(tool, { open: worldOpener(() => KNOWLEDGE_SEED) })
