import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { type AppCommand, runCli } from '@surehand/cli'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BUILT_IN_PACKS } from '../config/built-in.ts'
import { openLocalApp } from '../open-local-app.ts'
import { toAppCommand } from '../packs/pack-command.ts'
import { runPm } from '../pm/pm.ts'
import { runCredentials } from './credentials.ts'
import { runDoctor } from './doctor.ts'
import { runImport } from './import.ts'
import { runKeys } from './keys.ts'
import { runMigrate } from './migrate.ts'
import { runNotifications } from './notifications.ts'
import { runPrincipals, runSignIn, runTokens } from './principals.ts'
import { USAGES } from './usages.ts'
import { runWebhooks } from './webhooks.ts'
import type { RunCommand } from './with-app.ts'

const COMMANDS: Readonly<Record<string, RunCommand>> = {
  principals: runPrincipals,
  tokens: runTokens,
  'sign-in': runSignIn,
  webhooks: runWebhooks,
  credentials: runCredentials,
  import: runImport,
  keys: runKeys,
  doctor: runDoctor,
  migrate: runMigrate,
  notifications: runNotifications,
}
const packs = await Promise.all(Object.values(BUILT_IN_PACKS).map(({ load }) => load()))
const commands = [
  ...Object.entries(COMMANDS).map(
    ([name, run]): AppCommand => ({ name, summary: name, usage: `surehand ${name}`, run }),
  ),
  ...packs.flatMap((pack) => pack.commands).map(toAppCommand),
  { name: 'pm', ...USAGES.pm, use: runPm },
]

let data: string
let empty: string
beforeAll(() => {
  data = join(mkdtempSync(join(tmpdir(), 'surehand-json-')), 'data')
  empty = mkdtempSync(join(tmpdir(), 'surehand-empty-'))
  vi.spyOn(process, 'cwd').mockReturnValue(empty)
})
afterAll(() => vi.restoreAllMocks())

async function run(argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []]
  const screen = (said: string[]): Writable =>
    new Writable({
      write(chunk, _, done) {
        said.push(String(chunk))
        done()
      },
    })
  const code = await runCli({
    argv,
    env: { HOME: '/dev/null' },
    terminal: { stdin: Readable.from([]), stdout: screen(out), stderr: screen(err) },
    version: '0.0.0-test',
    openLocal: openLocalApp,
    commands,
  })
  return { code, out: out.join(''), err: err.join('') }
}

test.each<readonly [string, unknown]>([
  ['principals set ann --role user', { id: 'ann', version: 1 }],
  ['principals', [{ id: 'ann', record: { roles: ['user'] } }]],
  ['tokens create ann --name laptop', { id: expect.any(String), token: expect.any(String) }],
  ['tokens', [{ record: { principal: 'ann', name: 'laptop' } }]],
  ['sign-in ann', { path: expect.stringContaining('/sign-in/') }],
  ['webhooks add orders --url https://hooks.example', { secret: expect.any(String) }],
  ['webhooks', [{ id: 'orders', url: 'https://hooks.example' }]],
  ['webhooks remove orders', { id: 'orders', removed: true }],
  ['credentials', []],
  ['import', []],
  ['doctor', { findings: expect.any(Array) }],
  ['migrate', { database: 'sqlite', up_to_date: true }],
  ['notifications --as ann', { requests: 'mine' }],
  ['market requests', { answers: [{ status: 'failed', error: { code: 'TOOL_NOT_FOUND' } }] }],
  ['travel plans', { answers: [{ status: 'failed', error: { code: 'TOOL_NOT_FOUND' } }] }],
  ['site report', { answers: [{ status: 'failed', error: { code: 'TOOL_NOT_FOUND' } }] }],
  ['pm inbox', {}],
])('surehand %s --json prints one JSON value and nothing else', async (line, expected) => {
  const { out, err } = await run([...line.split(' '), '--json', '--data', data])
  expect([JSON.parse(out), err]).toMatchObject([expected, ''])
})

test.each([
  ['webhooks remove none', 'TOOL_RESOURCE_NOT_FOUND'],
  ['tokens create nobody --name x', 'TOOL_RESOURCE_NOT_FOUND'],
  ['tokens nonsense', 'USAGE'],
  ['tokens create ann --nonsense', 'USAGE'],
])('surehand %s --json says in JSON why it failed', async (line, code) => {
  const said = await run([...line.split(' '), '--json', '--data', data])
  expect(said.code).toBeGreaterThan(0)
  expect(JSON.parse(said.out)).toMatchObject({ error: { code, message: expect.any(String) } })
})

test.each(['tools', 'principals'])(
  'surehand %s in a folder without data says so, and makes no store',
  async (command) => {
    const said = await run([command])
    expect([said.code, said.err]).toEqual([78, expect.stringContaining('surehand init')])
    expect(existsSync(join(empty, '.surehand'))).toBe(false)
  },
)
