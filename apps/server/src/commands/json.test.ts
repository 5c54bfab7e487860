import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { type AppCommand, type LocalApp, type LocalTarget, runCli } from '@surehand/cli'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { BUILT_IN_PACKS } from '../config/built-in.ts'
import { openLocalApp } from '../open-local-app.ts'
import { toAppCommand } from '../packs/pack-command.ts'
import { runPm } from '../pm/pm.ts'
import { runAdopt } from './adopt.ts'
import { runCredentials } from './credentials.ts'
import { runDoctor } from './doctor.ts'
import { runImport, runMount } from './import.ts'
import { runKeys } from './keys.ts'
import { runMigrate } from './migrate.ts'
import { runNotifications } from './notifications.ts'
import { runPrincipals, runSignIn, runTokens } from './principals.ts'
import { runPrograms } from './programs.ts'
import { USAGES } from './usages.ts'
import { runWebhooks } from './webhooks.ts'
import type { RunCommand } from './with-app.ts'

const COMMANDS: Readonly<Record<string, RunCommand>> = {
  principals: runPrincipals,
  tokens: runTokens,
  'sign-in': runSignIn,
  webhooks: runWebhooks,
  credentials: runCredentials,
  programs: runPrograms,
  import: runImport,
  mount: runMount,
  adopt: runAdopt,
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
let withPacks: LocalApp
beforeAll(async () => {
  data = join(mkdtempSync(join(tmpdir(), 'surehand-json-')), 'data')
  empty = mkdtempSync(join(tmpdir(), 'surehand-empty-'))
  vi.spyOn(process, 'cwd').mockReturnValue(empty)
  vi.stubEnv('SUREHAND_BUILT_IN', Object.keys(BUILT_IN_PACKS).join(','))
  withPacks = await openLocalApp({ data })
  vi.unstubAllEnvs()
  const contract = { version: 1, name: 'Shop', origins: ['https://shop.example'] }
  writeFileSync(join(empty, 'contract.json'), JSON.stringify(contract))
})
afterAll(async () => {
  await withPacks.close()
  vi.restoreAllMocks()
})

// One app with all packs for the commands of packs: opening it takes a second each time.
async function openShared(at: LocalTarget): Promise<LocalApp> {
  return at.data === data ? { ...withPacks, close: async () => undefined } : openLocalApp(at)
}

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
    openLocal: openShared,
    commands,
  })
  return { code, out: out.join(''), err: err.join('') }
}

const done = { answers: [{ status: 'success' }] }
const failedWith = (code: string) => ({ answers: [{ status: 'failed', error: { code } }] })
const missing = failedWith('TOOL_RESOURCE_NOT_FOUND')
const wrong = { error: { code: 'USAGE', message: expect.any(String) } }

// In this order, in one data folder. A command of a pack has a line for each of its actions; where
// an action needs what only a browser or a provider makes, it answers that there is none.
const LINES: readonly (readonly [line: string, expected: unknown])[] = [
  ['principals set ann --role user', { id: 'ann', version: 1 }],
  ['principals', [{ id: 'ann', record: { roles: ['user'] } }, { id: 'owner' }]],
  ['tokens create ann --name laptop', { id: expect.any(String), token: expect.any(String) }],
  ['tokens', [{ record: { principal: 'ann', name: 'laptop' } }]],
  ['sign-in ann', { path: expect.stringContaining('/sign-in/') }],
  ['webhooks add orders --url https://hooks.example', { secret: expect.any(String) }],
  ['webhooks', [{ id: 'orders', url: 'https://hooks.example' }]],
  ['webhooks off orders', { id: 'orders', is_enabled: false }],
  ['webhooks on orders', { id: 'orders', is_enabled: true }],
  ['webhooks deliveries orders', []],
  ['webhooks off', wrong],
  ['webhooks constructor orders', wrong],
  ['webhooks remove orders', { id: 'orders', removed: true }],
  ['credentials', []],
  ['programs', []],
  ['import', []],
  ['mount', wrong],
  ['adopt', {}],
  ['doctor', { findings: expect.any(Array) }],
  ['migrate', { database: 'sqlite', up_to_date: true }],
  ['keys', wrong],
  ['notifications --as ann', { requests: 'mine' }],
  ['pm inbox', { tasks: [] }],
  ['market requests', done],
  ['market request req_0', missing],
  ['market vendors', done],
  ['market consent', done],
  ['market erase req_0', missing],
  ['travel wish', wrong],
  ['travel plans', done],
  ['travel show plan_0', missing],
  ['travel share plan_0', missing],
  ['travel unshare share_0', missing],
  ['travel bookings', done],
  ['travel cancel bk_0123', missing],
  ['travel remember window seats', done],
  ['travel recall seats', done],
  ['travel forget mem_0', done],
  ['travel delete-all-data', failedWith('TOOL_APPROVAL_REQUIRED')],
  ['site inspect http://127.0.0.1:9', failedWith('TOOL_RESOURCE_ACCESS_DENIED')],
  ['site connect FOLDER/contract.json', done],
  ['site key shop', done],
  ['site revoke pk_0', missing],
  ['site index', {}],
  ['site report', done],
  ['site slots FOLDER/none.json', wrong],
  ['site transcript visit_0', failedWith('TOOL_INVALID_FIELD_VALUE')],
  ['site forget visit_0', failedWith('TOOL_INVALID_FIELD_VALUE')],
  ['site stop', done],
  ['site resume', done],
]

test.each(LINES)(
  'surehand %s --json prints one JSON value and nothing else',
  async (line, expected) => {
    const words = line.replace('FOLDER', empty).split(' ')
    const { out, err } = await run([...words, '--json', '--data', data])
    expect([JSON.parse(out), err]).toMatchObject([expected, ''])
  },
)

// These are started as processes below, and `init` has tests of its own.
const OTHERS = ['serve', 'dev', 'mcp', 'init']

test('every command and every action of a pack has such a line', () => {
  const begins = (words: string): boolean =>
    LINES.some(([line]) => line === words || line.startsWith(`${words} `))
  const names = Object.keys(USAGES).filter((name) => !OTHERS.includes(name))
  const actions = packs.flatMap((pack) => pack.commands).flatMap(({ usage }) => actionsOf(usage))
  expect(actions.length).toBeGreaterThan(20)
  expect([...names, ...actions].filter((words) => !begins(words))).toEqual([])
})

/** `surehand site stop | resume   the kill switch`: site stop, site resume. */
function actionsOf(usage: string): readonly string[] {
  return usage.split('\n').flatMap((line) => {
    const [, command = '', actions = ''] =
      /^surehand (\S+) ([\w-]+(?: \| [\w-]+)*)/.exec(line) ?? []
    return actions === '' ? [] : actions.split(' | ').map((action) => `${command} ${action}`)
  })
}

test.each([
  ['webhooks remove none', 'TOOL_RESOURCE_NOT_FOUND'],
  ['webhooks off none', 'TOOL_RESOURCE_NOT_FOUND'],
  ['webhooks test none', 'TOOL_RESOURCE_NOT_FOUND'],
  ['webhooks deliveries none', 'TOOL_RESOURCE_NOT_FOUND'],
  ['tokens create nobody --name x', 'TOOL_RESOURCE_NOT_FOUND'],
  ['tokens nonsense', 'USAGE'],
  ['tokens create ann --nonsense', 'USAGE'],
  ['market nonsense', 'USAGE'],
  ['site', 'USAGE'],
])('surehand %s --json says in JSON why it failed', async (line, code) => {
  const said = await run([...line.split(' '), '--json', '--data', data])
  expect(said.code).toBeGreaterThan(0)
  expect(JSON.parse(said.out)).toMatchObject({ error: { code, message: expect.any(String) } })
})

type Problem = { readonly field: string; readonly error: string }
type Failure = {
  readonly message: string
  readonly recovery_suggestions: readonly string[]
  readonly details: { readonly validation_errors: readonly Problem[] }
}

/** The error of a command, or of the tool that it called. */
function readFailure(out: string): Failure {
  const { error, answers } = JSON.parse(out) as {
    readonly error?: Failure
    readonly answers?: readonly { readonly error: Failure }[]
  }
  return error ?? answers?.[0]?.error ?? expect.fail(`This is no failure: ${out}`)
}

const countIn = (text: string, part: string): number => text.split(part).length - 1

test.each([
  ['call', 'task.capture', '--input', '{}'],
  ['call', 'task.capture', '--input', '{"text":7,"contexts":"home","priority":"x"}'],
  ['call', 'task.capture', '--input', '{"text":"a","text":"b"}'],
  ['call', 'task.capture', '--input', '[]'],
  ['call', 'task.capture', '--text', 'Call mum', '--key', 'ü'],
  ['call', 'task.capture', '--text', 'Call mum', '--notify', 'none'],
  ['site', 'transcript', 'visit_0'],
  ['import', 'openapi', 'shop', 'FOLDER/contract.json', '--origin', 'nonsense', '--auth', ''],
  ['mount', 'shop', '--url', 'nonsense'],
  ['webhooks', 'add', 'orders', '--url', 'nonsense'],
])('what is wrong with a field is said once: surehand %s %s %s %s', async (...line) => {
  const words = [...line.map((word) => word.replace('FOLDER', empty)), '--data', data]
  const inJson = await run([...words, '--json'])
  const { message, recovery_suggestions, details } = readFailure(inJson.out)
  const problems = details.validation_errors
  expect(problems.length).toBeGreaterThan(0)
  expect(new Set(problems.map(({ field, error }) => `${field} ${error}`)).size).toBe(
    problems.length,
  )
  const inWords = await run(words)
  for (const { field, error } of problems) {
    const alike = problems.filter((problem) => problem.error.includes(error)).length
    // A program reads the list, a person the message: neither is told twice.
    expect(countIn(message, error)).toBeLessThanOrEqual(alike)
    expect(countIn(recovery_suggestions.join('\n'), error)).toBe(0)
    expect([field, countIn(inWords.err + inWords.out, error)]).toEqual([field, alike])
  }
  expect(inWords.err).not.toContain('validation_errors')
})

/** A command that goes on, in a process of its own, until the test ends it. */
function startCommand(args: readonly string[]): ChildProcessByStdio<Writable, Readable, Readable> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-started-'))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const program = join(import.meta.dirname, '..', 'surehand.ts')
  const started = spawn(process.execPath, [program, ...args, '--json', '--data', 'data'], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, HOME: folder, SUREHAND_LOG_LEVEL: 'silent' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => killGroup(started.pid))
  return started
}

/** Ends the command and what it has started: a killed `dev` cannot end its server. */
function killGroup(leader = Number.NaN): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (thrown) {
    // All of them have ended.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown
  }
}

const firstLine = async (stream: Readable): Promise<unknown> => {
  for await (const line of createInterface({ input: stream })) return JSON.parse(line)
  return expect.fail('It ended without a line.')
}

test('surehand dev --json starts surehand serve --json, which says in one line that it is up', async () => {
  const started = startCommand(['dev', '--port', '0'])
  const said = (await firstLine(started.stdout)) as { readonly url: string; readonly pid: number }
  expect(said).toMatchObject({ tools: 0, database: 'sqlite', url: expect.stringMatching(/^http/) })
  expect((await fetch(`${said.url}/healthz`)).status).toBe(200)
  const ended = once(started, 'exit')
  started.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  // The server has ended with it.
  expect(() => process.kill(said.pid, 0)).toThrow('ESRCH')
})

test('surehand mcp --json says on standard error that it is up, and speaks MCP alone on the other', async () => {
  const started = startCommand(['mcp'])
  expect(await firstLine(started.stderr)).toMatchObject({
    principal: 'owner',
    tools: expect.any(Number),
  })
  started.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  expect(await firstLine(started.stdout)).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  const ended = once(started, 'exit')
  started.stdin.end()
  expect(await ended).toEqual([0, null])
})

test.each(['tools', 'principals'])(
  'surehand %s in a folder without data says so, and makes no store',
  async (command) => {
    const said = await run([command])
    expect([said.code, said.err]).toEqual([78, expect.stringContaining('surehand init')])
    expect(existsSync(join(empty, '.surehand'))).toBe(false)
  },
)
