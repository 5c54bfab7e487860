import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS } from '@surehand/core/host'
import { expect, test } from 'vitest'
import { BUILT_IN_PACKS } from '../../apps/server/src/config/built-in.ts'
import { renderErrors } from './error-page.ts'
import { findAnchors, findLinks, listPages, ROOT } from './markdown.ts'
import { placeOnSite, toSitePage } from './site-links.ts'
import { renderPacks } from './stage-site.ts'
import { renderTool, type SitePage } from './tool-pages.ts'

const written = listPages().flatMap((page): SitePage[] => {
  const path = placeOnSite(page)
  if (path === undefined) return []
  return [{ path, title: page, text: toSitePage(page, readFileSync(join(ROOT, page), 'utf8')) }]
})

/** Links of the site that lead to no page or heading of it. */
function findBroken(pages: readonly SitePage[]): string[] {
  const anchors = new Map(pages.map(({ path, text }) => [addressOf(path), findAnchors(text)]))
  return pages.flatMap(({ path, text }) =>
    findLinks(text)
      .filter((target) => /^[/#]/.test(target) && !/\.(?:png|svg|txt)$/.test(target))
      .filter((target) => {
        const [page, anchor] = target.split('#')
        const found = anchors.get(page === '' ? addressOf(path) : (page ?? ''))
        return found === undefined || (anchor !== undefined && !found.has(anchor))
      })
      .map((target) => `${path}: ${target}`),
  )
}

const addressOf = (path: string): string => `/${path.replace(/(?:index)?\.md$/, '')}`

test('every pack, tool and error code has its place, and every link leads to a page and heading', async () => {
  const packs = await renderPacks()
  const errors = renderErrors()
  const headings = new Set(packs.flatMap(({ text }) => text.match(/^## .+$/gm) ?? []))
  const tools = Object.values(BUILT_IN_PACKS).flatMap((pack) => pack.tools)
  expect(tools.length).toBeGreaterThan(150)
  expect(tools.filter((id) => !headings.has(`## ${id}`))).toEqual([])
  expect(Object.keys(ERRORS).filter((code) => !errors.text.includes(`### ${code}\n`))).toEqual([])
  expect(findBroken([...written, ...packs, errors])).toEqual([])
})

test('a link to a missing page or heading is found', () => {
  const page = { path: 'a.md', title: 'A', text: '# A\n[b](/b) [c](#c) [a](/a#a)' }
  expect(findBroken([page])).toEqual(['a.md: /b', 'a.md: #c'])
})

test('links of the repository lead to pages of the site, or show the path of a file', () => {
  const page =
    'See [x](../registry.md#a), [`core`](../../core), [run](../../core/src/pipeline/run.ts), {{name}} and `{{name}}`.\n<!-- hidden -->\n'
  expect(toSitePage('docs/guides/connect.md', page)).toBe(
    'See [x](/registry#a), [`core`](/packages/core), run (`core/src/pipeline/run.ts`), &#123;&#123;name}} and `{{name}}`.\n',
  )
})

test('a tool is shown with its contract, fields and examples', async () => {
  const pack = await BUILT_IN_PACKS.personal?.load()
  const tool = pack?.tools.find(({ id }) => id === 'task.capture')
  const text = tool === undefined ? '' : renderTool(tool)
  expect(text).toContain('## task.capture')
  expect(text).toContain('| idempotency |')
  expect(text).toContain('**Input**')
  expect(text).toMatch(/```json\n\{/)
})
