import { contractSuite } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { taskTools } from '../tools.ts'
import { TASK_SEED } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)
const open = tenants.opener(({ id }) => (id === 'task.capture' ? [] : TASK_SEED))

for (const tool of taskTools) contractSuite(tool, { open })
