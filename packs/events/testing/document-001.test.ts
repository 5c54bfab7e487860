import { readFileSync } from 'node:fs'
import { findBrokenRows } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import { DOCUMENT_TOOLS, FURTHER, readField, renderDocument001, toolOf } from './document-001.ts'

describe.each(DOCUMENT_TOOLS)('$name', ({ name, id, request, response, ...says }) => {
  const tool = toolOf(id)

  test('is found by the name that the document gives it', () => {
    expect(tool.aliases).toContain(name)
  })

  test.each([
    ['request', request, tool.input.toJson('input')],
    ['response', response, tool.output.toJson('output')],
  ])('has every field of the %s', (_, fields, schema) => {
    const found = fields.split(' ').map((field) => {
      const read = readField(schema, field.replace(/\?$/, ''))
      return read === undefined
        ? `${field} is missing`
        : `${field.replace(/\?$/, '')}${read.isRequired ? '' : '?'}`
    })
    expect(found).toEqual(fields.split(' '))
  })

  test('has its timeout, retries and cache', () => {
    const { timeoutMs, retries, cacheMs } = says
    const { contract } = tool
    if (timeoutMs !== undefined) expect(contract.timeoutMs).toBe(timeoutMs)
    if (retries !== undefined) expect(contract.retries).toBe(retries)
    if (cacheMs !== undefined) expect(contract.cache?.ttlMs({ query: 'Berlin' })).toBe(cacheMs)
  })
})

test('every file and test that the page names is there, and the page is as it is generated', () => {
  const tools = DOCUMENT_TOOLS.map(({ name, where, test }) => ({
    says: name,
    where: `packs/events/src/${where}`,
    test,
  }))
  expect(findBrokenRows([...tools, ...FURTHER])).toEqual([])
  const page = readFileSync(new URL('../../../docs/events-conformance.md', import.meta.url), 'utf8')
  expect(page).toBe(renderDocument001())
})
