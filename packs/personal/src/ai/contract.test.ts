import { contractSuite } from '@surehand/conformance'
import type { Tool } from '@surehand/core'
import { afterAll } from 'vitest'
import type { PersonalWorld } from '../../testing/personal-world.ts'
import { openTenants } from '../../testing/tenants.ts'
import { aiTools } from '../tools.ts'
import { aiSeed } from './fixtures/seed.ts'

const MINUTE = 60_000
const tenants = openTenants()
afterAll(tenants.close)
const openSeeded = tenants.opener(() => aiSeed)

// A session of deep work takes time, so the calls of a seed cannot create one.
async function open(tool: Tool): Promise<PersonalWorld> {
  const world = await openSeeded(tool)
  if (tool.id !== 'ai.explain_time') return world
  await world.data('time.deep_work_start', { subject: 'Writing' })
  world.clock.set(world.clock.now() + 50 * MINUTE)
  await world.data('time.deep_work_stop', { focus: 4, interruptions: 1 })
  await world.effects()
  return world
}

for (const tool of aiTools) contractSuite(tool, { open })
