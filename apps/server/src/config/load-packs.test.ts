import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { definePack, definePort, defineTool, type Pack, sameKey } from '@surehand/core'
import { packManifest } from '@surehand/core/host'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from '../app.ts'
import { readConfig } from './read-config.ts'

const PACK = (name: string, more = '') =>
  `export default { name: '${name}', tools: [], grants: new Map(), data: undefined, needs: {}, providers: undefined, ${more} }`

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-packs-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const writePack = async (folder: string, env = {}) =>
  (await readConfig({ env, folder })).packs.map(({ name }) => name)

test('packs are listed by path, by package, and in JSON too', async () => {
  const folder = folderWith({
    'surehand.config.json':
      '{"packs": ["./booking", "./one-file.mjs", "acme-pack", "@acme/modern"]}',
    'booking/pack.ts': `const name: string = 'booking'\n${PACK("' + name + '")}`,
    'one-file.mjs': PACK('one file').replace('export default', 'export const pack ='),
    'node_modules/acme-pack/package.json':
      '{"name": "acme-pack", "type": "module", "main": "pack.js"}',
    'node_modules/acme-pack/pack.js': PACK('acme'),
    'node_modules/@acme/modern/package.json':
      '{"name": "@acme/modern", "exports": {".": {"import": "./lib/pack.mjs"}}}',
    'node_modules/@acme/modern/lib/pack.mjs': PACK('modern'),
  })
  expect(await writePack(folder)).toEqual(['booking', 'one file', 'acme', 'modern'])
})

test.each([
  [['./nowhere'], 'There is no pack at'],
  [['./empty'], 'contains none of pack.ts'],
  [['acme-missing'], '"npm install acme-missing"'],
  [['./odd.mjs'], '"./odd.mjs" is not a pack. Its module must contain "export default definePack'],
  [['./broken.mjs'], 'The pack "./broken.mjs" cannot be loaded: it is broken'],
  [['./good.mjs', './good.mjs'], 'The pack "good" is listed twice'],
])('%o is refused with what to do', async (packs, words) => {
  const folder = folderWith({
    'surehand.config.json': JSON.stringify({ packs }),
    'empty/readme.md': '',
    'odd.mjs': 'export default { tools: 3 }',
    'broken.mjs': "throw new Error('it is broken')",
    'good.mjs': PACK('good'),
  })
  await expect(writePack(folder)).rejects.toThrow(words)
})

const needy = PACK(
  'needy',
  "needs: { secrets: { PAY_KEY: { for: 'payments' }, MORE: { for: 'more', optional: true } } }, providers: ({ secret }) => ({ pay: { key: secret('PAY_KEY'), more: secret('MORE') } })",
)

async function secretsGiven(
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<readonly (string | undefined)[]> {
  const { packs, packEnvironment } = await readConfig({ env, folder })
  const { secret } = packEnvironment(packs[0] as Pack)
  return [secret('PAY_KEY'), secret('MORE')]
}

test('a secret that is missing is said at the start, with where to put it', async () => {
  const folder = folderWith({
    'surehand.config.json': '{"packs": ["./needy.mjs"]}',
    'needy.mjs': needy,
  })
  await expect(readConfig({ env: {}, folder })).rejects.toThrow(
    'The pack "needy" needs PAY_KEY (payments). Set the environment variable PAY_KEY, or PAY_KEY_FILE to a file that contains it.',
  )
  expect(await secretsGiven({ PAY_KEY: 'k' }, folder)).toEqual(['k', undefined])
})

test('a secret may come from a file', async () => {
  const folder = folderWith({
    'surehand.config.json': '{"packs": ["./needy.mjs"]}',
    'needy.mjs': needy,
    secret: 'from the file\n',
  })
  expect(await secretsGiven({ PAY_KEY_FILE: join(folder, 'secret') }, folder)).toEqual([
    'from the file',
    undefined,
  ])
})

test('a pack is not given what its manifest does not declare', async () => {
  const sly = PACK('sly', "providers: ({ secret }) => ({ pay: { key: secret('HOME') } })")
  const folder = folderWith({ 'surehand.config.json': '{"packs": ["./sly.mjs"]}', 'sly.mjs': sly })
  const config = await readConfig({ env: { HOME: '/root' }, folder })
  await expect(createApp(config)).rejects.toThrow('reads HOME, which its manifest does not declare')
  expect(() => config.packEnvironment(config.packs[0] as Pack).setting('HOME')).toThrow(
    'reads HOME, which its manifest does not declare',
  )
})

const port = definePort<{ readonly pay: (args: never, signal: AbortSignal) => Promise<string> }>(
  'pay',
  {
    pay: sameKey({ validFor: '1h' }),
  },
)
const pay = defineTool({
  id: 'a.pay',
  title: 'Pay',
  category: 'custom',
  description: 'Pays.',
  input: z.object({}),
  output: z.string(),
  contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller' },
  ports: { pay: port },
  execute: ({ ports, signal }) => ports.pay.pay({} as never, signal),
})

test('a port without a provider is reported at the start; the configuration may supply one', async () => {
  const pack = definePack({ name: 'p', tools: [pay], needs: { hosts: ['pay.example'] } })
  expect(packManifest(pack)).toEqual({
    name: 'p',
    tools: ['a.pay@1.0.0'],
    ports: ['pay'],
    secrets: {},
    settings: {},
    hosts: ['pay.example'],
    routes: [],
    schedules: [],
    commands: [],
    views: [],
  })
  const config = await readConfig({ env: {}, folder: folderWith({}) })
  await expect(createApp({ ...config, packs: [pack] })).rejects.toThrow('pay')
})
