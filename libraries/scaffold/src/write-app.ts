import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

/** `mcp`: tools behind a server; `chat`: a chat route of the AI SDK besides. */
export const APP_KINDS = ['mcp', 'chat'] as const
export type AppKind = (typeof APP_KINDS)[number]

export type AppForm = {
  readonly folder: string
  /** The name of its package. */
  readonly name: string
  readonly kind: AppKind
}

/** Which files were written, and which were left alone because they existed. */
export type WrittenApp = { readonly written: readonly string[]; readonly kept: readonly string[] }

// The bundled command has the templates beside itself.
const TEMPLATES = new URL('../templates/app/', import.meta.url)
// npm leaves these files out of packages, or reads them itself, under their own names.
const RENAMED: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  dockerignore: '.dockerignore',
}
const ONLY_CHAT = /^src\/chat\//
const SUREHAND = `^${manifest.version}`

/** The versions that a new app starts with; a test compares them with those that we test with. */
export const VERSIONS = {
  zod: '4.6.7',
  ai: '7.0.169',
  '@ai-sdk/openai': '4.0.114',
  typescript: '7.0.2',
  '@types/node': '24.19.2',
} as const

type Manifest = Readonly<Record<string, unknown>> & {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Writes the files of a new app. A file that exists is kept, except for additions to package.json. */
export function writeApp({ folder, name, kind }: AppForm): WrittenApp {
  const files = globSync('**/*', { cwd: TEMPLATES, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(TEMPLATES.pathname.length))
    .filter((file) => kind === 'chat' || !ONLY_CHAT.test(file))
    .map((file) => {
      const text = readFileSync(new URL(file, TEMPLATES), 'utf8')
      return { path: RENAMED[file] ?? file, text: fillIn(text, name, kind) }
    })
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
  const isNew = ({ path }: { readonly path: string }): boolean => !existsSync(join(folder, path))
  const written = files.filter(isNew)
  const kept = files.filter((file) => !isNew(file))
  for (const { path, text } of written) write(join(folder, path), text)
  const had = existsSync(join(folder, 'package.json'))
  const before: Manifest = had ? JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) : {}
  const after = addToManifest({ name, ...before }, kind)
  write(join(folder, 'package.json'), `${JSON.stringify(after, null, 2)}\n`)
  return {
    written: [...(had ? [] : ['package.json']), ...written.map(({ path }) => path)],
    kept: kept.map(({ path }) => path),
  }
}

/** Lines between `<!-- chat -->` and `<!-- end -->` are for apps with a chat. */
function fillIn(text: string, name: string, kind: AppKind): string {
  const parts = /<!-- chat -->\n([\s\S]*?)<!-- end -->\n/g
  return text
    .replaceAll(parts, (_, inside) => (kind === 'chat' ? inside : ''))
    .replaceAll('{{name}}', name)
}

function addToManifest(before: Manifest, kind: AppKind): object {
  const { zod, typescript, ai } = VERSIONS
  const isChat = kind === 'chat'
  return {
    private: true,
    version: '0.1.0',
    type: 'module',
    engines: { node: '>=22.19' },
    ...before,
    scripts: {
      dev: 'surehand dev',
      start: 'surehand serve',
      ...(isChat ? { chat: 'node --watch src/chat/main.ts' } : {}),
      test: 'node --test "src/**/*.test.ts"',
      types: 'tsc --noEmit',
      ...before.scripts,
    },
    dependencies: {
      '@surehand/core': SUREHAND,
      ...(isChat ? { '@surehand/ai-sdk': SUREHAND, '@surehand/sql': SUREHAND } : {}),
      surehand: SUREHAND,
      ...(isChat ? { ai: `^${ai}`, '@ai-sdk/openai': `^${VERSIONS['@ai-sdk/openai']}` } : {}),
      zod: `^${zod}`,
      ...before.dependencies,
    },
    devDependencies: {
      '@types/node': `^${VERSIONS['@types/node']}`,
      typescript: `^${typescript}`,
      ...before.devDependencies,
    },
  }
}

/** A name that npm accepts, made of the name of a folder. */
export function packageNameFrom(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'my-tools' : name
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
