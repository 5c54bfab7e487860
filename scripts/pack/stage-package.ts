import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { codeOnly } from '../code-only.ts'
import { importsOf } from '../layers.ts'
import {
  type Manifest,
  publishedBins,
  publishedExports,
  publishedManifest,
} from './published-manifest.ts'

/** A package of the repository, by its folder there. */
export type Workspace = { readonly folder: string; readonly manifest: Manifest }

export type BrowserScript = {
  readonly built: string
  readonly source: string
  readonly text: string
}

export type Staging = {
  readonly root: string
  /** Where `tsc` wrote JavaScript and declarations, laid out as the repository is. */
  readonly build: string
  /** The clone of the repository that has the changelogs. */
  readonly changelogs: string
  /** Where the package is put together. */
  readonly target: string
  /** The text of scripts for browsers, which are built into one file each. */
  readonly browserScripts: readonly BrowserScript[]
  /** The address of the repository, where it is known. */
  readonly repository?: string
  /** What only the bundled command needs. */
  readonly bundled?: Pick<Manifest, 'dependencies' | 'optionalDependencies'>
}

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.[^'"\n]+\.ts)\1/g
const ADDRESS = /new URL\((['"])(\.[^'"]+)\1, import\.meta\.url\)/g
const TYPESCRIPT = /\.ts$/
const DATA = '**/*.{js,css,json,svg}'

/**
 * Puts a package together as it is published: the JavaScript that its exports and programs reach,
 * with declarations and source maps, files that are read at run time, README and LICENSE.
 */
export function stagePackage({ folder, manifest }: Workspace, staging: Staging): void {
  const { root, target } = staging
  const layout = layoutOf(folder, manifest, staging)
  const found = findFiles(layout)
  for (const file of found.files) stageModule(file, layout)
  for (const file of found.data) copy(join(root, folder, file), join(target, layout.place(file)))
  for (const { built, text } of staging.browserScripts)
    if (built.startsWith(`${folder}/`))
      write(join(target, layout.place(relative(folder, built))), text)
  const programs = found.programs.map((file) => `${layout.place(file)}.js`)
  const published = publishedManifest(manifest, {
    place: layout.place,
    programs: programs.toSorted(),
    ...(staging.repository === undefined
      ? {}
      : { repository: { type: 'git', url: `git+${staging.repository}.git`, directory: folder } }),
    ...(staging.bundled === undefined ? {} : { bundled: staging.bundled }),
  })
  write(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  const templates = join(root, folder, 'templates')
  if (existsSync(templates)) cpSync(templates, join(target, 'templates'), { recursive: true })
  copy(join(root, 'LICENSE'), join(target, 'LICENSE'))
  copy(join(root, folder, 'README.md'), join(target, 'README.md'))
  const changes = join(staging.changelogs, folder, 'CHANGELOG.md')
  if (existsSync(changes)) copy(changes, join(target, 'CHANGELOG.md'))
}

type Layout = {
  readonly folder: string
  readonly entries: readonly string[]
  readonly staging: Staging
  /** A file's place in the published package; sources are named without their ending. */
  readonly place: (file: string) => string
}

// `src/` becomes `dist/`. A package with other folders beside it keeps all of them below `dist/`,
// so that relative paths between them stay right.
function layoutOf(folder: string, manifest: Manifest, staging: Staging): Layout {
  const entries = [...publishedExports(manifest), ...publishedBins(manifest)].map(
    ([, source]) => source,
  )
  const isOneFolder = !existsSync(join(staging.build, folder, 'shop'))
  const place = (file: string): string =>
    posix.join('dist', isOneFolder ? file.replace(/^src\//, '') : file).replace(TYPESCRIPT, '')
  return { folder, entries, staging, place }
}

type Found = {
  /** Sources without their ending. */
  readonly files: readonly string[]
  readonly data: readonly string[]
  readonly programs: readonly string[]
}

function findFiles({ folder, entries, staging }: Layout): Found {
  const built = join(staging.build, folder)
  const isForBrowsers = (file: string): boolean =>
    staging.browserScripts.some(({ source }) => source === posix.join(folder, file))
  const files = new Set<string>()
  const programs = new Set<string>()
  const waiting = [...entries]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const name = next.replace(/(?:\.d)?\.[jt]s$/, '')
    if (files.has(name)) continue
    if (!existsSync(join(built, `${name}.js`)))
      throw new Error(
        `${folder}/${name}.ts is needed by a published file, but is not compiled. Add it to tsconfig.pack.json, or remove the import.`,
      )
    files.add(name)
    const texts = ['.js', '.d.ts'].map((ending) =>
      readFileSync(join(built, `${name}${ending}`), 'utf8'),
    )
    for (const text of texts)
      for (const { specifier } of importsOf(text, codeOnly(text)))
        if (/^\..*\.[jt]s$/.test(specifier)) waiting.push(posix.join(dirname(name), specifier))
    for (const [, , address = ''] of (texts[0] ?? '').matchAll(ADDRESS)) {
      const program = posix.join(dirname(name), address)
      if (!TYPESCRIPT.test(program) || isForBrowsers(program)) continue
      programs.add(program)
      waiting.push(program)
    }
  }
  const data = globSync(`{src,shop}/${DATA}`, {
    cwd: join(staging.root, folder),
    exclude: ['**/node_modules', '**/fixtures', '**/testing'],
  })
  return { files: [...files], data, programs: [...programs] }
}

function stageModule(name: string, { folder, staging, place }: Layout): void {
  const built = join(staging.build, folder, name)
  const target = join(staging.target, place(`${name}.ts`))
  const code = readFileSync(`${built}.js`, 'utf8').replaceAll(ADDRESS, (whole, quote, address) =>
    whole.replace(
      `${quote}${address}${quote}`,
      `${quote}${address.replace(TYPESCRIPT, '.js')}${quote}`,
    ),
  )
  write(`${target}.js`, code)
  // The declarations keep the endings of the sources.
  const types = readFileSync(`${built}.d.ts`, 'utf8').replaceAll(IMPORT, (whole, _, specifier) =>
    whole.replace(specifier, specifier.replace(TYPESCRIPT, '.js')),
  )
  write(`${target}.d.ts`, types)
  const map = JSON.parse(readFileSync(`${built}.js.map`, 'utf8'))
  const source = relative(dirname(target), join(staging.target, `${name}.ts`))
  write(`${target}.js.map`, JSON.stringify({ ...map, sources: [source] }))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}
