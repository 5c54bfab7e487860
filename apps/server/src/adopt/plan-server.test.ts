import { describe, expect, test } from 'vitest'
import type { ClientServer } from './client-config.ts'
import { pinPackages } from './pin-package.ts'
import { isSecret, planServer } from './plan-server.ts'
import { proposeContract } from './propose-contract.ts'

const findVersion = async (name: string) => (name === 'gone' ? undefined : '1.2.3')

test.each([
  ['npx', ['-y', 'pkg', '--port', '1'], ['-y', 'pkg@1.2.3', '--port', '1']],
  ['/usr/bin/npx', ['@scope/pkg@latest'], ['@scope/pkg@1.2.3']],
  ['npx.cmd', ['pkg@^1'], ['pkg@1.2.3']],
  ['cmd', ['/c', 'npx', '-y', 'pkg'], ['/c', 'npx', '-y', 'pkg@1.2.3']],
  ['npm', ['exec', '--', 'pkg', 'x'], ['exec', '--', 'pkg@1.2.3', 'x']],
  ['npx', ['--package', 'pkg', 'bin', 'x'], ['--package', 'pkg@1.2.3', 'bin', 'x']],
  ['npx', ['--package=pkg', '-c', 'bin'], ['--package=pkg@1.2.3', '-c', 'bin']],
  ['bunx', ['pkg@2.0.0'], ['pkg@2.0.0']],
  ['npx', ['github:a/b'], ['github:a/b']],
  ['node', ['server.js'], ['server.js']],
  ['npx', ['-y', 'gone'], ['-y', 'gone']],
])('%s %j is pinned', async (command, args, pinned) => {
  expect((await pinPackages(command, args, { cwd: '/', findVersion })).args).toEqual(pinned)
})

test.each([
  ['API_KEY', 'abcdef', true],
  ['GITHUB_TOKEN', 'abcdef', true],
  ['ANYTHING', 'ghp_abcdefghijklmnop', true],
  ['DATABASE_URL', 'postgres://ann:pw@db/x', true],
  ['AUTH_URL', 'https://auth.example', false],
  ['KEY_FILE', '/home/ann/key.json', false],
  ['USE_AUTH', 'true', false],
  ['REGION', 'eu-west-1', false],
  ['KEY', 'abc', false],
])('%s=%s is a secret: %s', (name, value, secret) => {
  expect(isSecret(name, value)).toBe(secret)
})

test.each([
  ['get_issue', {}, 'read'],
  ['brave_web_search', {}, 'read'],
  ['listIssues', {}, 'read'],
  ['sequentialthinking', { readOnlyHint: true }, 'read'],
  ['echo', {}, 'write'],
  ['get_issue', { readOnlyHint: false }, 'write'],
  ['create_issue', { readOnlyHint: true }, 'write'],
  ['search_and_replace', {}, 'write'],
  ['run_query', {}, 'write'],
  ['write_file', { destructiveHint: true, readOnlyHint: false }, 'delete'],
  ['delete_entities', {}, 'delete'],
  ['remove_label', { readOnlyHint: true }, 'delete'],
])('%s with %j is proposed as a %s', (name, hints, proposal) => {
  const tool = { name, title: name, description: '', inputSchema: {}, hints }
  expect(proposeContract(tool)).toBe(proposal)
})

describe('a plan', () => {
  const environment = { TOKEN: 'from-the-environment' }
  const context = {
    scope: { environment, home: '/home/ann', project: undefined, inputs: new Map() },
    folder: '/home/ann',
    findVersion,
    pins: 'exact' as const,
  }
  const plan = (server: object) =>
    planServer({ tools: {}, ...server } as ClientServer, 'web', context)
  const command = { kind: 'stdio', name: 'Web', command: 'npx', args: ['pkg'], env: {} }

  test('keeps secrets of variables and arguments apart', async () => {
    const args = ['pkg', '--api-key', 'abcdef', '--token=ghi-jkl', '--port', '8080']
    const env = { WEB_TOKEN: '${' + 'TOKEN}', REGION: 'eu' }
    expect(await plan({ ...command, args, env })).toMatchObject({
      packages: ['pkg@1.2.3'],
      address: {
        args: [
          'pkg@1.2.3',
          '--api-key',
          '${' + 'ARGUMENT_3}',
          '--token=${' + 'ARGUMENT_4}',
          '--port',
          '8080',
        ],
        env: { REGION: 'eu' },
      },
      secrets: { WEB_TOKEN: 'from-the-environment', ARGUMENT_3: 'abcdef', ARGUMENT_4: 'ghi-jkl' },
      settings: { credential: 'web.environment' },
    })
  })

  test('keeps secrets of an address apart', async () => {
    const url = 'https://far.example/mcp?api_key=abcdef&team=1'
    const headers = { Authorization: 'Bearer abcdef', 'X-Api-Key': 'ghijkl', 'X-Team': 'one' }
    expect(await plan({ kind: 'http', name: 'Far', url, headers })).toMatchObject({
      url: 'https://far.example/mcp?team=1',
      privateHost: undefined,
      settings: {
        credential: 'web.server',
        headers: { 'X-Api-Key': { credential: 'web.X-Api-Key' }, 'X-Team': { value: 'one' } },
        query: { api_key: 'web.api_key' },
      },
      credentials: [
        { id: 'web.api_key', form: { origins: ['https://far.example'] } },
        { id: 'web.server', form: { kind: 'bearer', token: 'abcdef' } },
        { id: 'web.X-Api-Key', form: { kind: 'apiKey', value: 'ghijkl' } },
      ],
    })
    const local = { kind: 'http', name: 'Near', url: 'http://localhost:3845/mcp', headers: {} }
    expect(await plan(local)).toMatchObject({ privateHost: 'localhost:3845' })
  })

  test.each([
    [{ ...command, args: ['gone'] }, 'the version of gone@latest could not be looked up'],
    [{ ...command, env: { A: '${' + 'NOT_SET}' } }, 'NOT_SET, which is not set here'],
    [{ ...command, envFile: 'missing.env' }, 'missing.env, cannot be read'],
    [{ kind: 'http', name: 'Far', url: 'ftp://far.example', headers: {} }, 'no http'],
    [
      {
        kind: 'http',
        name: 'Far',
        url: 'http://far.example',
        headers: { Authorization: 'Bearer abcdef' },
      },
      'without encryption',
    ],
  ])('says what is missing: %j', async (server, reason) => {
    expect(await plan(server)).toMatchObject({ reason: expect.stringContaining(reason) })
  })
})
