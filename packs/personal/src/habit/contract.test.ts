import { contractSuite } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { habitTools } from '../tools.ts'
import { habitSeed } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)

// The habits that the examples of habit.create make must not exist in the seed.
const open = tenants.opener((tool) => (tool.id === 'habit.create' ? [] : habitSeed))

for (const tool of habitTools) contractSuite(tool, { open })
