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
export type WrittenApp = {
  readonly written: readonly string[]
  readonly kept: readonly string[]
  /** What its author has to do before the app runs. */
  readonly notes: readonly string[]
}

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

// What `npm init` writes: a test that fails.
const NO_TEST = 'echo "Error: no test specified" && exit 1'
const COMMONJS_NOTE =
  'package.json has "type": "commonjs" and there are scripts beside it, but the files of the app are ES modules. To fix this, set "type": "module" there, or run the command in a folder of its own.'

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
  const ownScripts = globSync('**/*.{js,ts}', { cwd: folder, exclude: ['**/node_modules'] })
  for (const { path, text } of written) write(join(folder, path), text)
  const had = existsSync(join(folder, 'package.json'))
  const before: Manifest = had ? JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) : {}
  const isCommonJs = before.type === 'commonjs' && ownScripts.length > 0
  const after = addToManifest({ name, ...before }, kind, isCommonJs)
  write(join(folder, 'package.json'), `${JSON.stringify(after, null, 2)}\n`)
  return {
    written: [...(had ? [] : ['package.json']), ...written.map(({ path }) => path)],
    kept: kept.map(({ path }) => path),
    notes: isCommonJs ? [COMMONJS_NOTE] : [],
  }
}

/** Lines between `<!-- chat -->` and `<!-- end -->` are for apps with a chat. */
function fillIn(text: string, name: string, kind: AppKind): string {
  const parts = /<!-- chat -->\n([\s\S]*?)<!-- end -->\n/g
  return text
    .replaceAll(parts, (_, inside) => (kind === 'chat' ? inside : ''))
    .replaceAll('{{name}}', name)
}

function addToManifest(before: Manifest, kind: AppKind, isCommonJs: boolean): object {
  const { zod, typescript, ai } = VERSIONS
  const isChat = kind === 'chat'
  const { test = NO_TEST, ...scripts } = before.scripts ?? {}
  return {
    private: true,
    version: '0.1.0',
    engines: { node: '>=22.19' },
    ...before,
    type: isCommonJs ? 'commonjs' : 'module',
    scripts: {
      dev: 'surehand dev',
      start: 'surehand serve',
      ...(isChat ? { chat: 'node --watch src/chat/main.ts' } : {}),
      test: test === NO_TEST ? 'node --test "src/**/*.test.ts"' : test,
      types: 'tsc --noEmit',
      ...scripts,
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
