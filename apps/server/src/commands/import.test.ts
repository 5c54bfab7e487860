import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCaller } from '@surehand/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { runImportAction } from './import.ts'

const data = mkdtempSync(join(tmpdir(), 'surehand-import-'))
const document = join(data, 'shop.json')
const answers = { responses: { 200: { description: 'Fine' } } }

let app: App
beforeAll(async () => {
  const env = { SUREHAND_DATA: data, SUREHAND_LOG_LEVEL: 'silent' }
  app = await createApp(await readDemoConfig({ env, folder: data }))
})
afterAll(() => app.close())

beforeAll(() => {
  const paths = {
    '/orders': {
      get: { operationId: 'listOrders', summary: 'List the orders', tags: ['orders'], ...answers },
      post: { operationId: 'placeOrder', summary: 'Place an order', tags: ['orders'], ...answers },
    },
    '/stock': { get: { operationId: 'getStock', tags: ['stock'], security: [], ...answers } },
  }
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
  writeFileSync(
    document,
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: '/v1' }],
      security: [{ key: [] }],
      components: { securitySchemes: { key } },
      paths,
    }),
  )
})

async function run(args: readonly string[]) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text
      return true
    },
  })
  // Of a terminal, an import uses the two streams.
  const terminal = { stdout: stream('stdout'), stderr: stream('stderr'), format: 'words' } as never
  const code = await runImportAction(app, systemCaller('home'), args, terminal)
  return { code, ...written }
}

const dryRun = (...flags: readonly string[]) =>
  run(['openapi', 'shop', document, '--dry-run', ...flags])
const list = (...flags: readonly string[]) => run(['openapi', 'shop', document, '--list', ...flags])

test('the names can be listed before anything is imported', async () => {
  expect(await list()).toMatchObject({
    code: 0,
    stdout: 'shop.getStock\nshop.listOrders\nshop.placeOrder\n',
    stderr: expect.stringContaining('Nothing was imported'),
  })
})

test('a report says what was taken, what is missing and what to do next', async () => {
  const { stdout, stderr } = await dryRun('--allow', 'all', '--origin', 'https://shop.example')
  expect(stderr).toContain('Reading ')
  expect(stdout).toContain('3 operations: 3 tools, 0 left out.')
  expect(stdout).toContain('2 tools: a credential.')
  expect(stdout).toContain(
    'surehand credentials set shop.key --kind apiKey --origin https://shop.example',
  )
  expect(stdout).toContain('Next: surehand search WORDS, then surehand show shop.getStock.')
})

test('a server without a whole address is said at import, with the flag that completes it', async () => {
  const { stdout } = await dryRun('--allow', 'all')
  expect(stdout).toContain('the server /v1 is no whole address. Import it again with --origin')
})

test.each([
  ['tag:orders', 2],
  ['method:get', 2],
  ['prefix:place', 1],
  ['search:list orders', 1],
  ['placeOrder,getStock', 2],
])('--allow %s takes %i', async (allow, tools) => {
  expect((await dryRun('--allow', allow)).stdout).toContain(
    `${tools} tool${tools === 1 ? '' : 's'}, ${3 - tools} left out`,
  )
})

test.each([
  [['openapi', 'shop', document, '--allow', 'placeOrders'], 'No operation matches "placeOrders"'],
  [['openapi', 'shop', '/nowhere.json'], 'There is no file /nowhere.json'],
  [['openapi', 'shop', document, '--variable', 'x'], '--variable takes NAME=VALUE'],
  [['openapi', 'shop', document, '--alow', 'all'], '--alow'],
])('a mistake is named: %j', async (args, message) => {
  await expect(run(args)).rejects.toThrow(message)
  expect((await run(['list'])).stdout).not.toContain('shop')
})

test('a credential that is there is not asked for', async () => {
  await app.imports.credentials.put(systemCaller('home'), 'shop.key', {
    kind: 'apiKey',
    origins: ['https://shop.example'],
    value: 'a-secret-key',
  })
  const { stdout } = await dryRun('--allow', 'all', '--origin', 'https://shop.example')
  expect(stdout).not.toContain('a credential')
})
