import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { codeOnly } from './code-only.ts'

export type SourceFile = { path: string; text: string }
export type Package = {
  folder: string
  name: string
  dependencies: string[]
  devDependencies: string[]
  exports: string[]
}
export type Violation = { path: string; line: number; what: string; todo: string }

export type Import = { specifier: string; line: number }
type Problem = { what: string; todo: string }
type Tree = { paths: Set<string>; packages: Package[]; root: Package }
type Place = { file: SourceFile; owner: Package; isTest: boolean; tree: Tree }

// By the first folder of a package: the folders whose packages it may import. No list contains its
// own folder, except for libraries, which have an order among themselves.
const BELOW = new Map([
  ['core', []],
  ['libraries', ['libraries', 'core']],
  ['stores', ['libraries', 'core']],
  ['sources', ['libraries', 'core']],
  ['bridge', ['libraries', 'core']],
  ['packs', ['bridge', 'libraries', 'core']],
  ['surfaces', ['libraries', 'core']],
  ['apps', ['packs', 'surfaces', 'stores', 'sources', 'bridge', 'libraries', 'core']],
  ['examples', ['packs', 'surfaces', 'stores', 'libraries', 'core', 'testing']],
  ['testing', ['libraries', 'core']],
  ['conformance', ['testing', 'libraries', 'core']],
  ['chaos', ['stores', 'testing', 'libraries', 'core']],
  ['scripts', []],
])
const FOR_ANY_TEST = ['@surehand/conformance', '@surehand/testing', '@surehand/sql']

/** The folders of core, and the libraries: each may import only what stands before it. */
export const CORE_ORDER = [
  'call',
  'define',
  'ports',
  'memory',
  'permissions',
  'registry',
  'ledger',
  'approvals',
  'runs',
  'pipeline',
  'runtime',
  'host',
]
export const LIBRARY_ORDER = [
  'schema-diff',
  'documents',
  'egress',
  'identity',
  'json-schema',
  'vault',
  'imports',
  'edge',
  'discovery',
  'isolation',
  'dates',
  'icalendar',
  'vendors',
  'crawl',
  'places',
  'reading',
  'telemetry',
  'programs',
  'scaffold',
]

const CORE_BUILTINS = ['node:async_hooks', 'node:crypto', 'node:buffer']
// The memory stores run local effects on an SQLite database in memory, which does no I/O.
const MEMORY_BUILTINS = [...CORE_BUILTINS, 'node:sqlite']
const CORE_DEPENDENCIES = ['zod']

const MAX_LINES = 400
const CODE_ENDING = /\.[cm]?[jt]sx?$/
const ENDING = /\.(?:[cm]?[jt]sx?|json|css|sql|svg|wasm)$/
const BARREL = /(?:^|\/)index\.[cm]?[jt]sx?$/
// What a package's tests share is in its folder `testing`.
// Emulators stand in for vendors in tests and in the demo.
const TEST = /\.test(?:-d)?\.tsx?$|\/(?:testing|fixtures|emulators)\//

// Time, randomness and the network are passed in: otherwise code cannot be tested with a fake clock
// or an emulator.
const AMBIENT = [
  { pattern: /\bDate\.now\s*\(/, what: 'Date.now(', todo: 'take the time from runtime.now()' },
  {
    pattern: /\bMath\.random\s*\(/,
    what: 'Math.random(',
    todo: 'take ids and randomness from the runtime',
  },
  {
    pattern: /(?<![\w$.])fetch\s*\(|\bglobalThis\.fetch\b/,
    what: 'fetch(',
    todo: 'use a port, or move this to a provider',
  },
  {
    pattern: /\bprocess\.env\b/,
    what: 'process.env',
    todo: 'read settings in apps/ and pass the value in',
  },
]
const MAY_TOUCH_OUTSIDE =
  /^(?:apps|libraries|testing|chaos|examples)\/|\/(?:providers|emulators|browser)\/|^core\/src\/ports\/clock\.ts$/

/**
 * Everything in these files that breaks a rule of the layers. The package with the folder '' is the
 * root: it owns scripts/ and bench/.
 */
export function violations(files: SourceFile[], packages: Package[]): Violation[] {
  const root = packages.find((one) => one.folder === '')
  if (!root) throw new Error("The list of packages lacks the root's own (its folder is '').")
  const tree = { paths: new Set(files.map((file) => file.path)), packages, root }
  return [
    ...packages.flatMap(manifestViolations),
    ...files.flatMap((file) => fileViolations(file, tree)),
  ]
}

function manifestViolations(one: Package): Violation[] {
  const at = { path: posix.join(one.folder, 'package.json'), line: 1 }
  if (one.folder === '') return []
  if (!BELOW.has(kindOf(one)))
    return [
      {
        ...at,
        what: `${one.folder} is in no layer`,
        todo: 'give its folder a row in scripts/layers.ts',
      },
    ]
  if (kindOf(one) === 'libraries' && !LIBRARY_ORDER.includes(one.folder.replace('libraries/', '')))
    return [{ ...at, what: `${one.folder} has no place`, todo: 'add it to LIBRARY_ORDER' }]
  if (one.folder !== 'core' || one.dependencies.toSorted().join() === CORE_DEPENDENCIES.join())
    return []
  const what = `core depends on ${one.dependencies.join(', ') || 'nothing'}`
  return [
    {
      ...at,
      what,
      todo: `core's dependencies are exactly ${CORE_DEPENDENCIES.join(', ')}: make it a port and implement it in a library`,
    },
  ]
}

function fileViolations(file: SourceFile, tree: Tree): Violation[] {
  const place = { file, owner: ownerOf(file.path, tree), isTest: TEST.test(file.path), tree }
  const code = codeOnly(file.text)
  const imports = importsOf(file.text, code).flatMap((one) => {
    const problem = importProblem(one.specifier, place)
    return problem ? [{ path: file.path, line: one.line, ...problem }] : []
  })
  return [...sizeViolations(place), ...imports, ...ambientViolations(code, place)]
}

function sizeViolations({ file, isTest }: Place): Violation[] {
  const lines = file.text.replace(/\n$/, '').split('\n')
  const isExempt =
    isTest || /^\/\/ table\b/.test(file.text) || file.path.split('/').includes('fixtures')
  if (isExempt || lines.length <= MAX_LINES) return []
  return [
    {
      path: file.path,
      line: MAX_LINES + 1,
      what: `${lines.length} lines`,
      todo: `split it by subject; ${MAX_LINES} lines is the limit`,
    },
  ]
}

function ambientViolations(code: string, { file, owner, isTest, tree }: Place): Violation[] {
  if (owner === tree.root || isTest || MAY_TOUCH_OUTSIDE.test(file.path)) return []
  return code.split('\n').flatMap((text, index) =>
    AMBIENT.filter(({ pattern }) => pattern.test(text)).map(({ what, todo }) => ({
      path: file.path,
      line: index + 1,
      what,
      todo,
    })),
  )
}

function importProblem(specifier: string, place: Place): Problem | undefined {
  if (specifier.startsWith('.')) return relativeProblem(specifier, place)
  if (specifier.startsWith('node:')) return builtinProblem(specifier, place)
  const name = packageNameOf(specifier)
  const target = place.tree.packages.find((one) => one.name === name)
  return target ? workspaceProblem(specifier, target, place) : listingProblem(name, place)
}

function relativeProblem(
  specifier: string,
  { file, owner, isTest, tree }: Place,
): Problem | undefined {
  const target = posix.join(posix.dirname(file.path), specifier)
  if (!ENDING.test(specifier))
    return {
      what: `'${specifier}' names no file with its ending`,
      todo: `write the file's whole name, as in './scope.ts'`,
    }
  // They are no workspaces, and import what packages do not export by its path.
  const mayCross = /^(?:bench|scripts\/docs)\//.test(file.path)
  const other = ownerOf(target, tree)
  if (other !== owner && !mayCross)
    return { what: `'${specifier}' leaves its package`, todo: `import from '${other.name}'` }
  if (BARREL.test(specifier) && !mayCross)
    return { what: `'${specifier}' is a barrel`, todo: 'import from the file that has the name' }
  if (CODE_ENDING.test(specifier) && !tree.paths.has(target))
    return {
      what: `'${specifier}' does not exist`,
      todo: 'name an existing file with its ending',
    }
  return isTest ? undefined : coreProblem(file.path, target)
}

function coreProblem(path: string, target: string): Problem | undefined {
  const from = coreFolder(path)
  const to = coreFolder(target)
  if (from === undefined || to === undefined) return undefined
  if (CORE_ORDER.indexOf(to) <= CORE_ORDER.indexOf(from)) return undefined
  return {
    what: `core/src/${from} imports ${target}`,
    todo: `core's folders import downwards (${CORE_ORDER.join(', ')}): move what both need down`,
  }
}

function coreFolder(path: string): string | undefined {
  const folder = /^core\/src\/([^/]+)\//.exec(path)?.[1]
  return folder !== undefined && CORE_ORDER.includes(folder) ? folder : undefined
}

function builtinProblem(specifier: string, { file, owner, isTest }: Place): Problem | undefined {
  const allowed = file.path.startsWith('core/src/memory/') ? MEMORY_BUILTINS : CORE_BUILTINS
  if (owner.folder !== 'core' || isTest || allowed.includes(specifier)) return undefined
  return {
    what: `core imports ${specifier}`,
    todo: `core does no I/O (${CORE_BUILTINS.join(', ')} are fine): make it a port`,
  }
}

function workspaceProblem(specifier: string, target: Package, place: Place): Problem | undefined {
  const { owner, isTest, tree } = place
  const subpath = `.${specifier.slice(target.name.length)}`
  if (!target.exports.some((one) => posix.matchesGlob(subpath, one)))
    return {
      what: `'${specifier}' is not exported`,
      todo: `import what ${target.folder}/package.json exports`,
    }
  if (owner === tree.root || (isTest && (owner === target || FOR_ANY_TEST.includes(target.name))))
    return undefined
  if (owner === target)
    return {
      what: 'imports its own package by name',
      todo: 'import from the file that has the name',
    }
  const below = belowOf(place)
  if (!below.includes(kindOf(target))) {
    const todo = `${kindOf(owner)} may import ${below.join(', ') || 'no package'}: move what both need down, or pass it in`
    return { what: `${owner.folder} imports ${target.folder}`, todo }
  }
  if (!isTest && !isLibraryBefore(target, owner)) {
    const todo = `libraries import those before them (${LIBRARY_ORDER.join(', ')})`
    return { what: `${owner.folder} imports ${target.folder}`, todo }
  }
  return listingProblem(target.name, place)
}

function isLibraryBefore(target: Package, owner: Package): boolean {
  if (kindOf(owner) !== 'libraries' || kindOf(target) !== 'libraries') return true
  const place = (one: Package): number =>
    LIBRARY_ORDER.indexOf(one.folder.replace('libraries/', ''))
  return place(target) < place(owner)
}

function belowOf({ owner, isTest }: Place): string[] {
  const below = BELOW.get(kindOf(owner)) ?? []
  return isTest && owner.folder === 'conformance' ? [...below, 'stores'] : below
}

function listingProblem(name: string, { file, owner, isTest, tree }: Place): Problem | undefined {
  // The root's devDependencies are the test tools of every package; bench lists its peers in its
  // own package.json.
  const development =
    isTest || owner === tree.root ? [...owner.devDependencies, ...tree.root.devDependencies] : []
  if (file.path.startsWith('bench/') || [...owner.dependencies, ...development].includes(name))
    return undefined
  const kind = isTest ? 'devDependencies' : 'dependencies'
  return {
    what: `'${name}' is not listed`,
    todo: `add it to ${kind} in ${posix.join(owner.folder, 'package.json')}; a builtin is written node:NAME`,
  }
}

function ownerOf(path: string, { packages, root }: Tree): Package {
  return packages.find((one) => one.folder !== '' && path.startsWith(`${one.folder}/`)) ?? root
}

function kindOf(one: Package): string {
  return one.folder.replace(/\/.*/, '')
}

export function packageNameOf(specifier: string): string {
  const segments = specifier.split('/')
  return segments.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

// `import … from`, `export … from`, `import '…'`, `import('…')`; in between only what an import
// list may contain
const IMPORT = /(?<![\w$.])(?:(?:import|export)\b[\w$*{},\s]*?[\s}*]from|import)\s*\(?\s*(['"`])/g

/** The imports of a file; `code` is its text without comments and the insides of strings. */
export function importsOf(text: string, code: string): Import[] {
  return [...code.matchAll(IMPORT)].map((match) => {
    const start = match.index + match[0].length
    const end = code.indexOf(match[1] ?? '', start)
    return { specifier: text.slice(start, end), line: text.slice(0, start).split('\n').length }
  })
}

type Manifest = { name: string; workspaces?: string[]; exports?: object } & {
  [kind in DependencyKind]?: Record<string, string>
}
type DependencyKind =
  | 'dependencies'
  | 'peerDependencies'
  | 'optionalDependencies'
  | 'devDependencies'

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(posix.join(folder, 'package.json'), 'utf8'))
}

function readPackage(folder: string): Package {
  const manifest = readManifest(folder)
  const dependencies = Object.keys({
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.optionalDependencies,
  })
  const devDependencies = Object.keys(manifest.devDependencies ?? {})
  return {
    folder,
    name: manifest.name,
    dependencies,
    devDependencies,
    exports: Object.keys(manifest.exports ?? {}),
  }
}

function main(): void {
  process.chdir(posix.join(import.meta.dirname, '..'))
  const workspaces = readManifest('').workspaces ?? []
  const folders = globSync(workspaces.map((pattern) => `${pattern}/package.json`)).map((path) =>
    posix.dirname(path),
  )
  const exclude = [
    '**/node_modules',
    '**/dist',
    '**/dist-*',
    '.packed',
    '**/coverage',
    '.git',
    '.bench',
    '.data',
  ]
  // An installation of its own, and the files of an app: their packages are not those of the
  // workspaces.
  exclude.push('packs/site/vendure', 'libraries/scaffold/templates')
  const paths = globSync('**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}', { exclude }).toSorted()
  const files = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))

  const found = violations(files, ['', ...folders].map(readPackage))
  for (const { path, line, what, todo } of found) console.log(`${path}:${line}  ${what}  → ${todo}`)
  console.log(
    `layers: ${files.length} files in ${folders.length} packages, ${found.length} violation${found.length === 1 ? '' : 's'}`,
  )
  if (found.length > 0 || files.length === 0) process.exitCode = 1
}

if (import.meta.main) main()
