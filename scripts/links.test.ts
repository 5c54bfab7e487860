import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/**
 * Tracked pages, and new ones that are not ignored. A page that was deleted but not committed is
 * skipped.
 */
function listPages(): string[] {
  const arguments_ = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md']
  const listed = execFileSync('git', arguments_, { cwd: ROOT, encoding: 'utf8' })
  return [...new Set(listed.split('\0'))].filter(
    (page) => page !== '' && existsSync(join(ROOT, page)),
  )
}

/** The targets of inline links and pictures; examples in code are not links. */
function findLinks(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(<?([^()\s>]+)>?(?:\s+"[^"]*")?\)/g)].map(
    ([, target = '']) => target,
  )
}

/** The ids that GitHub gives to the headings of a page. */
function findAnchors(markdown: string): Set<string> {
  const prose = markdown.replaceAll(/^```.*?^```/gms, '')
  return new Set(
    [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}

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
