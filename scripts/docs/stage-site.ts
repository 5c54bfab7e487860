import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { BUILT_IN_PACKS } from '../../apps/server/src/config/built-in.ts'
import { publicWorkspaces } from '../pack/pack-all.ts'
import { publishedExports } from '../pack/published-manifest.ts'
import { renderErrors } from './error-page.ts'
import { listPages, ROOT } from './markdown.ts'
import { placeOnSite, toSitePage } from './site-links.ts'
import { renderPack, type SitePage } from './tool-pages.ts'

export const SITE = join(ROOT, 'docs/site')
/** Where the pages of the site are put together; it is not committed. */
export const PAGES = join(SITE, '.pages')

type Item = {
  readonly text: string
  readonly link?: string
  readonly items?: readonly Item[]
  readonly collapsed?: boolean
}

/** Puts the pages of the site together: those of the repository, and those that are generated. */
export async function stagePages(): Promise<SitePage[]> {
  rmSync(PAGES, { recursive: true, force: true })
  const written = listPages().flatMap((page) => {
    const place = placeOnSite(page)
    if (place === undefined) return []
    const text = toSitePage(page, readFileSync(join(ROOT, page), 'utf8'))
    return [{ path: place, title: page, text }]
  })
  const pages = [...written, renderErrors(), ...(await renderPacks())]
  for (const { path, text } of pages) write(join(PAGES, path), text)
  for (const folder of ['pictures', 'drawings', 'runs'])
    cpSync(join(ROOT, 'docs', folder), join(PAGES, folder), { recursive: true })
  cpSync(join(SITE, 'home.md'), join(PAGES, 'index.md'))
  return pages
}

/**
 * A module for each entry point of each published package, which TypeDoc reads under the name that
 * an app imports.
 */
export function stageEntries(): void {
  const folder = join(SITE, '.entries')
  rmSync(folder, { recursive: true, force: true })
  for (const { manifest } of publicWorkspaces())
    for (const [subpath] of publishedExports(manifest)) {
      const name = `${manifest.name}${subpath.slice(1)}`
      write(join(folder, `${name}.ts`), `export * from '${name}'\n`)
    }
  const settings = { extends: '../../../tsconfig.json', include: ['**/*.ts'], exclude: [] }
  write(join(folder, 'tsconfig.json'), JSON.stringify(settings))
}

/** Writes the sidebar, which lists the pages that are there by now. */
export function stageSidebar(generated: readonly SitePage[]): void {
  write(join(PAGES, 'sidebar.json'), JSON.stringify(sidebar(generated), null, 1))
}

/** The pages of the built-in packs. */
export async function renderPacks(): Promise<SitePage[]> {
  const pages: SitePage[] = []
  for (const [name, { load }] of Object.entries(BUILT_IN_PACKS)) {
    const readme = readFileSync(join(ROOT, `packs/${name}/README.md`), 'utf8')
    const intro = toSitePage(`packs/${name}/README.md`, readme.split('\n\n')[1] ?? '')
    const more = `[More about it](/packages/packs-${name}).`
    pages.push(...renderPack(await load(), `${intro.trim()} ${more}`))
  }
  return pages
}

function sidebar(generated: readonly SitePage[]): readonly Item[] {
  const tools = generated.filter(({ path }) => path.startsWith('tools/'))
  const packs = tools.filter(({ path }) => path.endsWith('/index.md'))
  return [
    {
      text: 'Start',
      items: [
        { text: 'Start in five minutes', link: '/start' },
        { text: 'Overview', link: '/overview' },
      ],
    },
    {
      text: 'Concepts',
      items: [
        { text: 'The pipeline', link: '/concepts/pipeline' },
        { text: 'The states of a call', link: '/concepts/states' },
        { text: 'Approvals', link: '/concepts/approvals' },
        { text: 'Security model', link: '/security' },
        { text: 'Architecture', link: '/architecture' },
      ],
    },
    { text: 'Guides', items: listFolder('guides') },
    {
      text: 'Packs and tools',
      items: packs.map(({ path, title }) => ({
        text: title,
        link: `/${dirname(path)}/`,
        collapsed: true,
        items: tools
          .filter((page) => dirname(page.path) === dirname(path) && page.path !== path)
          .map((page) => ({ text: page.title, link: `/${page.path.replace(/\.md$/, '')}` })),
      })),
    },
    {
      text: 'Reference',
      items: [
        { text: 'Error codes', link: '/errors' },
        { text: 'HTTP API', link: '/http-api' },
        { text: 'Find, authorize and change tools', link: '/registry' },
        { text: 'TypeScript API', link: '/api/', collapsed: true, items: listFolder('api') },
        { text: 'Packages', collapsed: true, items: listFolder('packages') },
        { text: 'MCP clients', link: '/mcp-clients' },
        { text: 'Behaviour of each surface', link: '/conformance' },
      ],
    },
    {
      text: 'Measured',
      items: [{ text: 'Benchmarks', link: '/benchmarks' }, ...listFolder('performance')],
    },
    {
      text: 'Project',
      items: [
        { text: 'Contributing', link: '/contributing' },
        { text: 'Dependencies', link: '/dependencies' },
        { text: 'Changelog', link: '/changelog' },
        { text: 'Decisions', link: '/decisions/', collapsed: true, items: listFolder('decisions') },
      ],
    },
  ]
}

/** The pages of a folder by their headings. */
function listFolder(folder: string): Item[] {
  const place = join(PAGES, folder)
  if (!existsSync(place)) return []
  return globSync('**/*.md', { cwd: place })
    .filter((file) => file !== 'index.md')
    .toSorted()
    .map((file) => ({
      text: headingOf(readFileSync(join(place, file), 'utf8')) ?? file,
      link: `/${folder}/${file.replace(/\.md$/, '')}`,
    }))
}

function headingOf(markdown: string): string | undefined {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll(/[`\\]/g, '')
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
