import { expect, test } from 'vitest'
import { withPortablePatterns } from './portable-patterns.ts'

const patternOf = (pattern: string) => withPortablePatterns({ type: 'string', pattern }).pattern

test.each([
  ['^[a-z]+$', '^[a-z]+$'],
  ['^[\\w-.]+@x$', '^[\\w\\-.]+@x$'],
  ['^\\d{2}\\-\\d{2}$', '^\\d{2}-\\d{2}$'],
  ['^\\@\\_\\"$', '^@_"$'],
  ['[\\-\\/]', '[\\-\\/]'],
  ['(?i)never', undefined],
  ['[z-a]', undefined],
])('the pattern %s is published as %s', (written, published) => {
  expect(patternOf(written)).toBe(published)
  if (published !== undefined) expect(() => new RegExp(published, 'u')).not.toThrow()
})

test('a schema without such patterns stays the same object, and data are not read as schemas', () => {
  const schema = {
    properties: { pattern: { type: 'string', enum: ['(?i)a'], default: { pattern: '(?i)b' } } },
    patternProperties: { '^x-': {} },
  }
  expect(withPortablePatterns(schema)).toBe(schema)
})

test('the name pattern of a property is published only if it is valid', () => {
  const schema = { patternProperties: { '(?i)x': {}, '^\\_': { type: 'string' } } }
  expect(withPortablePatterns(schema)).toEqual({ patternProperties: { '^_': { type: 'string' } } })
})
