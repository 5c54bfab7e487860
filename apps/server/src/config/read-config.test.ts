import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './read-config.ts'

function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-config-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe('settings', () => {
  test('come with defaults that work on one machine', async () => {
    const folder = folderWith()
    const config = await readConfig({ env: {}, folder })
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 4114,
      home: 'home',
      demo: false,
      data: join(folder, '.surehand'),
      packs: [],
    })
  })

  test('are taken from the file, over it from the environment, over it from the command line', async () => {
    const folder = folderWith({
      'surehand.config.json': '{"port": 1, "host": "::1", "home": "acme"}',
    })
    const config = await readConfig({
      env: { SUREHAND_PORT: '2', SUREHAND_HOST: '127.0.0.2' },
      folder,
      overrides: { port: 3 },
    })
    expect(config).toMatchObject({ port: 3, host: '127.0.0.2', home: 'acme' })
    expect(config.sources.get('port')).toBe('--port')
    expect(config.sources.get('host')).toBe('the environment variable SUREHAND_HOST')
  })

  test('may be TypeScript, and a path in the file is relative to that file', async () => {
    const folder = folderWith({
      'surehand.config.ts':
        "export default { data: 'kept', corsOrigins: ['https://a.example'] as string[] }",
    })
    const config = await readConfig({
      env: {},
      folder: tmpdir(),
      file: join(folder, 'surehand.config.ts'),
    })
    expect(config).toMatchObject({ data: join(folder, 'kept'), corsOrigins: ['https://a.example'] })
  })

  test('lists are written with commas in the environment', async () => {
    const config = await readConfig({
      env: { SUREHAND_HOSTS: 'a.example:1, b.example' },
      folder: folderWith(),
    })
    expect(config.hosts).toEqual(['a.example:1', 'b.example'])
  })

  test.each([
    [{ SUREHAND_PORT: 'http' }, 'the environment variable SUREHAND_PORT is not a port.'],
    [{ SUREHAND_PORT: '70000' }, 'the environment variable SUREHAND_PORT is not a port.'],
    [
      { SUREHAND_PROT: '1' },
      'The environment variable SUREHAND_PROT is not a setting. Did you mean SUREHAND_PORT?',
    ],
    [
      { SUREHAND_PUBLIC_URL: 'tools.example' },
      'the environment variable SUREHAND_PUBLIC_URL is not an http(s) address, as in https://tools.example.',
    ],
    [{ SUREHAND_DATABASE_URL: 'mysql://x' }, 'is not an address of PostgreSQL'],
    [
      { SUREHAND_DEMO: 'perhaps' },
      'the environment variable SUREHAND_DEMO is neither true nor false.',
    ],
    [{ SUREHAND_JWT: 'secret' }, 'The environment variable SUREHAND_JWT is not JSON'],
    [{ SUREHAND_JWT: '{"issuer":"i","audience":"a","jwksUrl":"nowhere"}' }, '(jwt.jwksUrl)'],
  ])('%o is refused by name', async (env, words) => {
    await expect(readConfig({ env, folder: folderWith() })).rejects.toThrow(words)
  })

  test('an unknown setting in the file is refused with the most similar one', async () => {
    const folder = folderWith({ 'surehand.config.json': '{"pubicUrl": "https://a.example"}' })
    await expect(readConfig({ env: {}, folder })).rejects.toThrow(
      'is not a setting. Did you mean publicUrl?',
    )
  })

  test('a file that is named and not there, or exports nothing, is not passed over', async () => {
    await expect(readConfig({ env: {}, folder: tmpdir(), file: 'none.json' })).rejects.toThrow(
      'There is no configuration at',
    )
    const folder = folderWith({ 'surehand.config.mjs': 'export const port = 1' })
    await expect(readConfig({ env: {}, folder })).rejects.toThrow('exports no settings')
  })

  test("the collector's usual variable is heard too", async () => {
    const config = await readConfig({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' },
      folder: folderWith(),
    })
    expect(config.otlpEndpoint).toBe('http://127.0.0.1:4318')
  })
})
