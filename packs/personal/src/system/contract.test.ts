import { contractSuite } from '@surehand/conformance'
import type { Tool } from '@surehand/core'
import { afterAll } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { systemTools } from '../tools.ts'
import { preferencesGet } from './preferences-get.ts'
import { preferencesSet } from './preferences-set.ts'

const tenants = openTenants()
afterAll(tenants.close)
const open = tenants.opener(() => [])
const OF_EVERYBODY: readonly Tool[] = [preferencesGet, preferencesSet]

for (const tool of systemTools)
  contractSuite(tool, {
    async open(one) {
      const world = await open(one)
      return OF_EVERYBODY.includes(one)
        ? world
        : { ...world, caller: { ...world.caller, principal: 'root', roles: ['admin'] } }
    },
  })
