import { contractSuite } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { knowledgeTools } from '../tools.ts'
import { KNOWLEDGE_SEED } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)

for (const tool of knowledgeTools)
  contractSuite(tool, { open: tenants.opener(() => KNOWLEDGE_SEED) })
