import { readFileSync } from 'node:fs'
import { findBrokenRows } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { DOCUMENT_004, renderDocument004 } from './document-004.ts'

test('every file and test that the page names is there, and the page is as it is generated', () => {
  expect(DOCUMENT_004.flatMap(({ rows }) => findBrokenRows(rows))).toEqual([])
  const page = readFileSync(
    new URL('../../../docs/personal-conformance.md', import.meta.url),
    'utf8',
  )
  expect(page).toBe(renderDocument004())
})
