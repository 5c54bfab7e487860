import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findAnchors, findLinks, listPages, ROOT } from './docs/markdown.ts'

function findBrokenLinks(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const isRelative = (target: string) => !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(target)
  return findLinks(text)
    .filter(isRelative)
    .filter((target) => {
      const [path = '', anchor] = decodeURIComponent(target).split('#')
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
      if (!existsSync(file)) return true
      if (anchor === undefined || !file.endsWith('.md')) return false
      return !findAnchors(readFileSync(file, 'utf8')).has(anchor)
    })
    .map((target) => `${page}: ${target}`)
}

test('every relative link of every Markdown page points to an existing file and heading', () => {
  const pages = listPages()
  expect(pages).toContain('README.md')
  expect(pages.flatMap(findBrokenLinks)).toEqual([])
})

test('a link in a code block is not checked, and a heading becomes its anchor', () => {
  expect(findLinks('see [a](b.md "t"), `[c](d.md)`\n```\n[e](f.md)\n```\n![g](h.png)')).toEqual([
    'b.md',
    'h.png',
  ])
  expect([...findAnchors('# A `b`, c\n## Style, in ten lines')]).toEqual([
    'a-b-c',
    'style-in-ten-lines',
  ])
})
