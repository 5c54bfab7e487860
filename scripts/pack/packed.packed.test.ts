import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { environment, root, run } from './as-user.ts'
import { PACKED, tarballOf } from './packed-folders.ts'

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
// A server whose npx has ended may still be closing its database.
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 }))

type Published = {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
}

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

/** In the versions that the adapters are tested with: the newest of two may not fit each other. */
const frameworks = (): string[] =>
  ['ai-sdk', 'langchain'].flatMap((adapter) => {
    const file = join(import.meta.dirname, `../../surfaces/${adapter}/package.json`)
    const { peerDependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'))
    return Object.keys(peerDependencies).map((name) => `${name}@${devDependencies[name]}`)
  })

/**
 * The versions of our lockfile for what the frameworks bring along: newer ones may want a
 * framework that the registry does not have, and then npm looks for it without end.
 */
function frameworkParts(): Readonly<Record<string, string>> {
  const file = join(import.meta.dirname, '../../package-lock.json')
  const { packages: locked } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>
  }
  const given = frameworks().map((framework) => framework.replace(/@[^@]+$/, ''))
  return Object.fromEntries(
    Object.entries(locked).flatMap(([place, { version }]) => {
      const name = /^node_modules\/(@langchain\/[^/]+)$/.exec(place)?.[1]
      return name === undefined || given.includes(name) ? [] : [[name, version]]
    }),
  )
}

function newFolder(name: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, name)
  for (const [file, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

async function passOwnTests(folder: string): Promise<void> {
  const said = await run(folder, 'npm', 'test')
  expect(said).toMatch(/pass [1-9]/)
  expect(said).toMatch(/fail 0\b/)
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

test('publint and attw find nothing to say', async () => {
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
  for (const manifest of imported) {
    const words = ['--profile', 'esm-only', '--format', 'ascii', '--no-color']
    await run(PACKED.tarballs, join(TOOLS, '.bin/attw'), ...words, tarballOf(manifest)).catch(
      (thrown) => wrong.push(`${manifest.name}: ${thrown.stdout}`),
    )
  }
  expect(wrong).toEqual([])
})

test('@surehand/core brings zod and nothing else, and runs as plain JavaScript', async () => {
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
      'package.json': JSON.stringify({ type: 'module', overrides: frameworkParts() }),
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
    const names = packages().map(({ name }) => name)
    await run(folder, 'npm', 'install', ...names, ...frameworks(), '@types/node')
  })

  test.each(Object.entries(TYPESCRIPTS))(
    'their types check under TypeScript %s',
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
  // As long as the process lives: how long it takes to start depends on the machine.
  const wait = async (pattern: RegExp): Promise<string> => {
    for (; ; await pause(50)) {
      const found = pattern.exec(said)
      if (found !== null) return found[1] ?? ''
      if (child.exitCode !== null) throw new Error(`The command has ended:\n${said}`)
    }
  }
  return {
    wait,
    async stop() {
      // The process of npx and the server itself.
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await ended
    },
  }
}

type Answer = {
  readonly status: string
  readonly data: unknown
  readonly metadata: { readonly call_id: string }
}

/** Asks the server for JSON; with a body it is a POST. */
async function ask(url: string, token: string, body?: object): Promise<Answer> {
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      prefer: 'wait=60',
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return (await response.json()) as Answer
}

describe('npx surehand serve --demo', () => {
  let server: Awaited<ReturnType<typeof start>>
  let url: string
  let ann: string
  beforeAll(async () => {
    const folder = newFolder('demo')
    await run(folder, 'npm', 'install', 'surehand')
    server = await start(folder, ['serve', '--demo', '--port', '0', '--data', 'data'])
    url = await server.wait(/^ {2}console +(\S+)\/console$/m)
    ann = await server.wait(/^ {2}ann +(\S+)$/m)
  })
  afterAll(() => server?.stop())

  test('answers a call, and serves the widget', async () => {
    const price = await ask(`${url}/v1/tools/shop.price/call`, ann, { productId: 'tea' })
    expect(price.status).toBe('success')
    for (const file of ['site/widget.js', 'site/bridge.js', 'site/widget.css'])
      expect((await fetch(`${url}/${file}`)).status, file).toBe(200)
  })

  test('has the console inside: what an agent asks for is approved there, and done', async () => {
    const agent = await server.wait(/^ {2}her agent +(\S+)$/m)
    const order = { productId: 'tea', quantity: 2 }
    const asked = await ask(`${url}/v1/tools/shop.buy/call`, agent, order)
    const browser = await chromium.launch({
      executablePath: inject('chromium'),
      args: ['--no-sandbox'],
    })
    try {
      const page = await browser.newPage()
      await page.goto(`${url}/console`)
      await page.getByLabel('Your access token').fill(ann)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: /tea/i }).first().click()
      await page.getByRole('button', { name: 'Approve once …' }).click()
      await page.getByRole('button', { name: 'Approve once', exact: true }).click()
      await page.getByText('Nothing is waiting.').waitFor()
      if (process.env.SCREENSHOTS !== undefined)
        await page.screenshot({ path: join(process.env.SCREENSHOTS, 'packed-console.png') })
    } finally {
      await browser.close()
    }
    const answer = await ask(`${url}/v1/calls/${asked.metadata.call_id}`, agent)
    expect(answer).toMatchObject({ status: 'success', data: order })
  })
})

describe.each(['mcp', 'chat'])('npm create surehand, kind %s', (kind) => {
  const folder = join(root, `created-${kind}`)

  test('passes its own tests and type check right after creation', async () => {
    await run(root, 'npm', 'create', '--yes', 'surehand', `created-${kind}`, '--', '--kind', kind)
    await run(folder, 'npm', 'install')
    await passOwnTests(folder)
    await run(folder, 'npm', 'run', 'types')
  })

  test('its tools are called from the shell, and dev starts again after a change', async () => {
    const words = ['surehand', 'call', 'parcels.track', '--id', 'p-1', '--json']
    expect(JSON.parse(await run(folder, 'npx', ...words))).toMatchObject({
      data: { address: 'Rua Augusta 1, Lisbon' },
    })
    if (kind === 'chat') return
    const server = await start(folder, ['dev', '--port', '0'])
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

test('surehand init fills a folder that npm init made', async () => {
  const folder = join(root, 'existing')
  mkdirSync(folder)
  await run(folder, 'npm', 'init', '--yes')
  await run(folder, 'npm', 'install', 'surehand')
  expect(await run(folder, 'npx', 'surehand', 'init', '--yes')).toContain('surehand.config.ts')
  await run(folder, 'npm', 'install')
  await passOwnTests(folder)
})
