import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { completeLock } from './complete-lock.ts'

test('the optional packages of other platforms are written in, and what is there stays', () => {
  const lock = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/tool': {
        version: '2.0.0',
        dev: true,
        optionalDependencies: {
          '@tool/cli-win32-x64': '2.0.0',
          '@tool/binding-linux-arm64-musl': '2.0.0',
          '@tool/cli-linux-arm64': '2.0.0',
          'some-helper': '1.0.0',
        },
      },
      'node_modules/@tool/cli-linux-arm64': {
        version: '2.0.0',
        dev: true,
        optional: true,
        os: ['linux'],
        cpu: ['arm64'],
      },
    },
  }
  expect(completeLock(lock).packages).toEqual({
    ...lock.packages,
    'node_modules/@tool/cli-win32-x64': {
      version: '2.0.0',
      dev: true,
      optional: true,
      os: ['win32'],
      cpu: ['x64'],
    },
    'node_modules/@tool/binding-linux-arm64-musl': {
      version: '2.0.0',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
    },
  })
})

test.each([
  'package-lock.json',
  'docs/site/package-lock.json',
  'packs/site/vendure/package-lock.json',
  'scripts/clients/package-lock.json',
  'scripts/pack/tools/package-lock.json',
  'sources/documents/package-lock.json',
  'sources/mcp/servers/package-lock.json',
  'stores/sql/postgres/package-lock.json',
  'surfaces/mcp/clients/package-lock.json',
])('%s is complete, and names no registry', (file) => {
  const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
  expect(Object.keys(completeLock(JSON.parse(text)).packages)).toEqual(
    Object.keys(JSON.parse(text).packages),
  )
  expect(text).not.toContain('"resolved": "http')
})
