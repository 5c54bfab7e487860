import { describe, test } from 'vitest'
import { durablePromises } from '../testing/durable-promises.ts'
import { sqlitePlace } from '../testing/each-store.ts'

describe('on SQLite', () => {
  for (const [sentence, run] of Object.entries(durablePromises))
    test(sentence, async () => {
      const place = sqlitePlace()
      await run(place).finally(place.remove)
    })
})
