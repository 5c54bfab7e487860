import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { app, auditPromises } from '../../testing/audit-promises.ts'
import { postgresPlace } from '../../testing/each-store.ts'
import { sealPromises } from '../../testing/seal-promises.ts'
import { translator } from '../portable.ts'
import { sampleEntry, sampleRecord } from './fixtures/sample-record.ts'
import { insertRecord } from './record-row.ts'

describe('the audit on PostgreSQL', () => {
  for (const [sentence, run] of Object.entries({ ...auditPromises, ...sealPromises }))
    test(sentence, async () => {
      const place = await postgresPlace(inject('postgres'))
      await run(place).finally(place.remove)
    })

  test('a record that is committed after younger ones have their places gets one too', async () => {
    const place = await postgresPlace(inject('postgres'))
    const { sequencerOf, verdicts } = app()
    const stores = await place.open()
    const late = new pg.Client({ connectionString: place.where.at })
    await late.connect()
    const { text, values } = insertRecord(sampleRecord(1))
    await late.query('begin')
    await late.query(translator('postgres', 'database')(text), [...values])
    await stores.audit.append(sampleEntry(2), 'before-answer')
    expect(await sequencerOf(stores, 0).pass()).toBe(1)
    await late.query('commit')
    await late.end()
    expect(await sequencerOf(stores).pass()).toBe(1)
    for (const verdict of await verdicts(stores))
      expect(verdict).toMatchObject({ kind: 'intact', size: 2, anchoredSize: 2 })
    await stores.close()
    await place.remove()
  })
})
