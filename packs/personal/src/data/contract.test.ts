import { contractSuite } from '@surehand/conformance'
import { afterAll } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { dataTools } from '../tools.ts'
import { dataAnalyze } from './data-analyze.ts'
import { DATA_SEED } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)
const open = tenants.opener(() => DATA_SEED)

for (const tool of dataTools)
  contractSuite(tool, {
    async open(one) {
      const world = await open(one)
      return one === dataAnalyze
        ? { ...world, caller: { ...world.caller, principal: 'root', roles: ['admin'] } }
        : world
    },
  })
