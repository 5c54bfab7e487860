import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProblems } from './find-problems.ts'
import { type Manifest, publishedManifest } from './published-manifest.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): Manifest => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

test('a published package exports JavaScript with declarations, and nothing for our own tests', () => {
  const manifest: Manifest = {
    name: '@surehand/example',
    version: '1.2.3',
    type: 'module',
    exports: {
      '.': './src/index.ts',
      './host': './src/host.ts',
      './inside/*': './src/inside/*.ts',
      './testing/there': './testing/there.ts',
      './shop': './src/fixtures/shop.ts',
    },
    dependencies: { zod: '4.6.7', pg: '8.23.1' },
    devDependencies: { vitest: '5.1.0' },
  }
  const place = (source: string): string => source.replace('src/', 'dist/').replace('.ts', '')
  expect(publishedManifest(manifest, { place, programs: ['dist/thread.js'] })).toEqual({
    name: '@surehand/example',
    version: '1.2.3',
    type: 'module',
    sideEffects: ['./dist/thread.js'],
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './host': { types: './dist/host.d.ts', default: './dist/host.js' },
      './package.json': './package.json',
    },
    dependencies: { pg: '8.23.1', zod: '^4.6.7' },
    publishConfig: { access: 'public', provenance: true },
  })
})

test('every public package has a README, needs Node 22.18 or newer, and needs only public packages', () => {
  const { workspaces } = read('package.json') as Manifest & { workspaces: string[] }
  const files = globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: ROOT },
  )
  const manifests = files.map((file) => ({ file, ...read(file) }))
  const isPrivate = new Set(manifests.filter((one) => one.private).map(({ name }) => name))
  const published = manifests.filter((one) => one.private !== true)
  expect(published.length).toBeGreaterThan(30)
  const wrong = published.flatMap(({ file, engines, dependencies = {} }) => [
    ...Object.keys(dependencies)
      .filter((name) => isPrivate.has(name))
      .map((name) => `${file} depends on ${name}`),
    ...(/^>=22\.(?:18|19)$/.test(engines?.node ?? '') ? [] : [`${file} names no engine`]),
    ...(globSync(join(ROOT, file, '../README.md')).length === 1 ? [] : [`${file} has no README`]),
  ])
  expect(wrong).toEqual([])
})

test('an import of a file or a package that a user would not have is a problem', () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-staged-'))
  try {
    mkdirSync(join(folder, 'dist'))
    const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
    write('package.json', '{ "name": "example", "dependencies": { "zod": "^4.6.7" } }')
    write('dist/there.js', '')
    write('dist/index.js', "import './there.js'\nimport 'zod/mini'\nimport 'node:fs'\n")
    write('dist/index.d.ts', "// import 'vitest'\nexport * from './missing.js'\nimport 'pg'\n")
    expect(findProblems(folder)).toEqual([
      'example dist/index.d.ts:2 imports ./missing.js, which is not in the package',
      'example dist/index.d.ts:3 imports pg, which is not among its dependencies',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
