import { contractSuite } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { timeTools } from '../tools.ts'
import { timeSeed } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)
const open = tenants.opener(({ id }) => timeSeed(id))

for (const tool of timeTools) contractSuite(tool, { open })
