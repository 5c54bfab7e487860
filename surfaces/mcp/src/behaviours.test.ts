import { behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/memory'
import { afterEach, describe } from 'vitest'
import { mcpDoors } from './fixtures/mcp-door.ts'
import type { Era } from './fixtures/serve.ts'

const THROUGH_SOCKETS_MS = 20

describe.each<Era>(['2026', '2025'])('over the official client of %s', (era) => {
  const doors = mcpDoors(era)
  afterEach(() => doors.close())
  behaviourSuite(`mcp ${era}`, {
    openStores: memoryStores,
    openDoor: doors.open,
    pause: () => new Promise((resolve) => setTimeout(resolve, THROUGH_SOCKETS_MS)),
  })
})
