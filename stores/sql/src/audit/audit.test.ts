import { describe, test } from 'vitest'
import { auditPromises } from '../../testing/audit-promises.ts'
import { sqlitePlace } from '../../testing/each-store.ts'
import { sealPromises } from '../../testing/seal-promises.ts'

describe('the audit on SQLite', () => {
  for (const [sentence, run] of Object.entries({ ...auditPromises, ...sealPromises }))
    test(sentence, async () => {
      const place = sqlitePlace()
      await run(place).finally(place.remove)
    })
})
