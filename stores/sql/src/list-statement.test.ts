import { expect, test } from 'vitest'
import { LISTED_PAGES } from '../testing/listed-pages.ts'
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
