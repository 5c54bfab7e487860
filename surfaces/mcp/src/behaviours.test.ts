import { behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { afterEach, describe } from 'vitest'
import { mcpDoors, type Way } from './fixtures/mcp-door.ts'

describe.each<Way>(['2026', '2025', 'stdio'])('by the way of %s', (way) => {
  const doors = mcpDoors(way)
  afterEach(() => doors.close())
  behaviourSuite(`mcp ${way}`, {
    openStores: memoryStores,
    openSurface: doors.open,
    pause: doors.pause,
  })
})
