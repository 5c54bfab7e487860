import { describe, inject, test } from 'vitest'
import { durablePromises } from '../testing/durable-promises.ts'
import { postgresPlace } from '../testing/each-store.ts'

describe('on PostgreSQL', () => {
  for (const [sentence, run] of Object.entries(durablePromises))
    test(sentence, async () => {
      const place = await postgresPlace(inject('postgres'))
      await run(place).finally(place.remove)
    })
})
