import { contractSuite } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { projectTools } from '../tools.ts'
import { projectSeed } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)

for (const tool of projectTools) contractSuite(tool, { open: tenants.opener(() => projectSeed) })
