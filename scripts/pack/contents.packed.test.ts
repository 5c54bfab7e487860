import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKED } from './packed-folders.ts'

const ROOT = join(import.meta.dirname, '../..')

test('every package has its licence, README, declarations and source maps, and none of our tests', () => {
  const wrong = readdirSync(PACKED.packages).flatMap((name) => {
    const folder = join(PACKED.packages, name)
    const list = (pattern: string): string[] => globSync(pattern, { cwd: folder })
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const modules = list('dist/**/*.d.ts').map((file) => file.slice(0, -'.d.ts'.length))
    const wanted = [
      ...['LICENSE', 'README.md'],
      ...modules.flatMap((module) => [`${module}.js`, `${module}.js.map`]),
    ]
    return [
      ...wanted.filter((file) => !existsSync(join(folder, file))).map((file) => `no ${file}`),
      // The tests of the app that `surehand init` writes are its own.
      ...list('**/*.test.*').filter((file) => !file.includes('templates/')),
      ...list('**/fixtures/**'),
      ...('sideEffects' in manifest ? [] : ['no sideEffects']),
      ...('.' in manifest.exports && modules.length === 0 ? ['no declarations'] : []),
    ].map((problem) => `${name}: ${problem}`)
  })
  expect(wrong).toEqual([])
})

test('npm ci installs less than 600 MB', () => {
  // Without what commands that ran since have put beside it.
  const caches = ['.cache', '.vitest-cache'].map((name) => `--exclude=node_modules/${name}`)
  const said = execFileSync(
    'du',
    ['-s', '--block-size=1MB', '--apparent-size', ...caches, 'node_modules'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  expect(Number.parseInt(said, 10)).toBeGreaterThan(100)
  expect(Number.parseInt(said, 10)).toBeLessThan(600)
})
