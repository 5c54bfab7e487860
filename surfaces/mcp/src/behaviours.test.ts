import { behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { afterEach, describe } from 'vitest'
import { createConformanceSurfaces, type Way } from './fixtures/conformance-surfaces.ts'

describe.each<Way>(['2026', '2025', 'stdio'])('by the way of %s', (way) => {
  const surfaces = createConformanceSurfaces(way)
  afterEach(() => surfaces.close())
  behaviourSuite(`mcp ${way}`, {
    openStores: memoryStores,
    openSurface: surfaces.open,
    pause: surfaces.pause,
  })
})
