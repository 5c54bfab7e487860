import { contractSuite } from '@surehand/conformance'
import type { Tool } from '@surehand/core'
import { worldOpener } from '../../testing/personal-world.ts'
import { TASK_SEED } from './fixtures/seed.ts'
import { taskTools } from './tools.ts'

const openSeeded = worldOpener(({ id }) => (id === 'task.capture' ? [] : TASK_SEED))

// held by the caller too: the suite is about the tool, not about what the pack grants
async function open(tool: Tool) {
  const world = await openSeeded(tool)
  return { ...world, caller: { ...world.caller, capabilities: ['task.delete'] } }
}

for (const tool of taskTools) contractSuite(tool, { open })
