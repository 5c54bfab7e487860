import { behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/memory'
import { afterEach, describe } from 'vitest'
import { mcpDoors } from './fixtures/mcp-door.ts'
import type { Era } from './fixtures/serve.ts'

describe.each<Era>(['2026', '2025'])('over the official client of %s', (era) => {
  const doors = mcpDoors(era)
  afterEach(() => doors.close())
  behaviourSuite(`mcp ${era}`, {
    openStores: memoryStores,
    openDoor: doors.open,
    pause: doors.pause,
  })
})
