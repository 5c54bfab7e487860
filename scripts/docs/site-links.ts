import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { mapProse, mapText, ROOT } from './markdown.ts'

const TITLES: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'README.md': 'overview.md',
}

/** Where a page or picture of the repository is on the site; undefined: it is not there. */
export function placeOnSite(file: string): string | undefined {
  const fixed = TITLES[file]
  if (fixed !== undefined) return fixed
  const own = /^docs\/(.+\.(?:md|png|svg|txt))$/.exec(file)?.[1]
  if (own !== undefined) return own.replace(/(^|\/)README\.md$/, '$1index.md')
  const folder = /^(.+)\/README\.md$/.exec(file)?.[1]
  return folder === undefined || folder.includes('templates')
    ? undefined
    : `packages/${folder.replaceAll('/', '-')}.md`
}

/**
 * A page of the repository as a page of the site: links lead to pages of the site, and a link to a
 * file that is not there becomes the file's path.
 */
export function toSitePage(page: string, markdown: string): string {
  const shown = mapText(markdown, (text) => text.replaceAll(/<!--[\s\S]*?-->\n?/g, ''))
  return escapeVue(rewriteLinks(page, shown))
}

const LINK = /(!?)\[((?:[^\]`]|`[^`]*`)*)\]\(([^()\s]+)\)/g

function rewriteLinks(page: string, markdown: string): string {
  return mapText(markdown, (part) =>
    part.replaceAll(LINK, (whole, mark: string, text: string, target: string) => {
      if (/^(?:[a-z]+:|\/|#)/i.test(target)) return whole
      const [path = '', anchor] = target.split('#')
      const file = posix.join(posix.dirname(page), path).replace(/\/$/, '')
      const place = placeOnSite(isFolder(file) ? `${file}/README.md` : file)
      if (place === undefined) return `${text} (\`${file}\`)`
      const address = `/${place.replace(/(?:index)?\.md$/, '')}`
      return `${mark}[${text}](${address}${anchor === undefined ? '' : `#${anchor}`})`
    }),
  )
}

/** Is it a folder with a page of its own? */
function isFolder(file: string): boolean {
  return existsSync(join(ROOT, file, 'README.md'))
}

/** Curly braces in prose are not templates of Vue. */
function escapeVue(markdown: string): string {
  return mapProse(markdown, (prose) => prose.replaceAll('{{', '&#123;&#123;'))
}
