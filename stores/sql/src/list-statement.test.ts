import { expect, test } from 'vitest'
import { LISTED_PAGES } from '../testing/listed-pages.ts'
import { noticeStatements } from '../testing/notice-statements.ts'
import { openInMemory } from './audit/fixtures/sqlite-database.ts'
import { translator } from './portable.ts'

test.each(Object.entries(LISTED_PAGES))(
  'SQLite reads a page of %s in the order of an index',
  (_, { statement: { text, values }, index }) => {
    const { raw } = openInMemory()
    const plan = raw
      .prepare(`explain query plan ${translator('sqlite', 'database')(text)}`)
      .all(...(values as string[]))
      .map(({ detail }) => String(detail))
    expect(plan.join('\n')).toContain(index)
    expect(plan.join('\n')).not.toMatch(/TEMP B-TREE|SCAN (?:approvals|questions)(?! USING)/)
    raw.close()
  },
)

test('SQLite finds due notices without reading those that are not due', async () => {
  const { raw } = openInMemory()
  for (const { text, values } of Object.values(await noticeStatements())) {
    const plan = raw
      .prepare(`explain query plan ${translator('sqlite', 'database')(text)}`)
      .all(...(values as string[]))
      .map(({ detail }) => String(detail))
    expect(plan.join('\n')).not.toMatch(/SCAN calls/)
    for (const isDue of ['notify_at=?', 'notify_at<?'])
      expect(plan).toContain(
        `SEARCH calls USING INDEX calls_notify (tenant=? AND notify=? AND ${isDue})`,
      )
  }
  raw.close()
})
