import { fakeClock, storeSuites } from '@surehand/conformance'
import { memoryStores } from './memory-stores.ts'

storeSuites('in memory', async ({ schema }) => {
  const clock = fakeClock()
  return {
    stores: memoryStores({ clock, schema }),
    now: clock.now,
    advance: clock.advance,
    close: async () => undefined,
  }
})
