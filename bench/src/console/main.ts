import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { readDemoConfig } from '../../../apps/server/src/fixtures/demo-config.ts'
import { keyPath, makeKeys } from '../../../apps/server/src/keys.ts'
import { createLog } from '../../../apps/server/src/log/log.ts'
import { type RunningServer, serve } from '../../../apps/server/src/serve/serve.ts'
import { systemCaller } from '../../../libraries/identity/src/index.ts'
import { percentile } from '../harness/statistics.ts'
import { openDatabases } from '../stores/databases.ts'
import { proposePrograms } from './propose-programs.ts'
import { seedWeek } from './seed-week.ts'

// The console over a week of calls, on SQLite and on PostgreSQL: how long each page's requests to the API take, and
// how long a browser takes from the click on a link until the page shows its data.
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    store: { type: 'string', default: 'sqlite,postgres' },
    // An empty database of a running PostgreSQL, in place of one that is started for this.
    database: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
})
const rounds = Number(values.rounds)

const HOME = 'demo'

const folder = mkdtempSync(join(tmpdir(), 'surehand-bench-console-'))
// PostgreSQL does not run as root: its own account must be able to enter the folder.
chmodSync(folder, 0o755)
const stores = values.store.split(',').filter((one) => one === 'sqlite' || one === 'postgres')
const databases = await openDatabases(folder, new Set(values.database === undefined ? stores : []))
try {
  for (const store of stores)
    await databases.withDatabase(store, (database) =>
      measureStore(store, store === 'postgres' ? (values.database ?? database) : undefined),
    )
} finally {
  await databases.close()
  rmSync(folder, { recursive: true })
}
process.exit(0)

async function measureStore(store: string, databaseUrl: string | undefined): Promise<void> {
  const own = mkdtempSync(join(folder, 'data-'))
  const config = await readDemoConfig({
    env: databaseUrl === undefined ? {} : { SUREHAND_DATABASE_URL: databaseUrl },
    folder: own,
    overrides: { demo: true, home: HOME, port: 0, logLevel: 'silent' },
  })
  if (databaseUrl !== undefined) {
    // Nodes that share a database share a file of keys, which is made once.
    mkdirSync(dirname(keyPath(config)), { recursive: true, mode: 0o700 })
    makeKeys(keyPath(config))
  }
  const server = await serve(config, createLog({ ...config, logLevel: 'silent' }))
  try {
    const started = performance.now()
    const sample = await seedWeek(server.app.stores, HOME, Number(values.calls))
    const took = seconds(performance.now() - started)
    console.log(`\n# ${store}: ${values.calls} calls seeded in ${took}.`)
    const token = await createAdministrator(server)
    await proposePrograms(server.addresses.publicUrl, token)
    await measureApi(server.addresses.publicUrl, token, sample)
    if (existsSync(values.chromium)) await measurePages(server, token, sample)
    else console.log(`No browser at ${values.chromium}: --chromium PATH measures the pages.`)
    console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores.`)
  } finally {
    await server.stop()
  }
}

async function createAdministrator({ app }: RunningServer): Promise<string> {
  const by = systemCaller(HOME)
  await app.identityApi.principals.put(by, 'root', { roles: ['admin', 'user'] })
  return (await app.identityApi.tokens.create(by, { principal: 'root', name: 'bench' })).token
}

async function measureApi(url: string, token: string, callId: string): Promise<void> {
  const day = new Date(Date.now() - 6 * 86_400_000).toISOString()
  const paths = {
    'calls, the newest': '/v1/audit?phase=outcome&limit=100',
    'calls of a rare tool': '/v1/audit?phase=outcome&limit=100&tool=shop.rare',
    'calls of a rare person': '/v1/audit?phase=outcome&limit=100&principal=zoe',
    'calls with an unknown outcome': '/v1/audit?phase=outcome&limit=100&outcome=unknown',
    'calls before a day': `/v1/audit?phase=outcome&limit=100&until=${encodeURIComponent(day)}`,
    'calls by a rare text': '/v1/audit?phase=outcome&limit=100&text=needle',
    'calls by key': '/v1/audit?phase=outcome&limit=100&key=key-777',
    'a call: trace': `/v1/calls/${callId}/trace`,
    'a call: audit': `/v1/audit?call_id=${callId}&limit=100`,
    tools: '/v1/tools?limit=100',
    'a tool: figures': '/v1/tools/shop.price/figures',
    'health, a day': '/v1/figures?hours=24',
    'health, a week': '/v1/figures?hours=168',
    'health, 30 days': '/v1/figures?hours=720',
    policy: '/v1/policy',
    programs: '/v1/programs?limit=100',
  }
  console.log(`\n${'API'.padEnd(32)} ${'p50'.padStart(9)} ${'most'.padStart(9)}`)
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
      await answer.text()
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`)
      times.push(performance.now() - started)
    }
    print(name, times)
  }
}

async function measurePages(server: RunningServer, token: string, callId: string): Promise<void> {
  const url = server.addresses.publicUrl
  // Installed for the tests of the repository, not for the bench.
  const { chromium } = createRequire(new URL('../../../apps/server/', import.meta.url))(
    'playwright-core',
  ) as typeof import('playwright-core')
  const browser: Browser = await chromium.launch({
    executablePath: values.chromium,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  const page = await browser.newPage()
  await page.goto(`${url}/console/`)
  await page.getByLabel('Your access token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  const pages = {
    Inbox: ['/', '.inbox li, .state'],
    Decisions: ['/decisions', '.table tbody tr, .state'],
    Calls: ['/calls', '.table tbody tr'],
    'Calls of a rare tool': ['/calls?tool=shop.rare', '.table tbody tr'],
    'A call': [`/calls/${callId}`, '.bars tbody tr'],
    Tools: ['/tools', '.table tbody tr'],
    'A tool': ['/tools/shop.price', '.figures'],
    Views: ['/views', '.list li'],
    Programs: ['/programs', '.table tbody tr'],
    'A program': ['/programs/made.bench7', '.flow'],
    Policy: ['/policy', 'form'],
    Imports: ['/imports', '.state, .list li'],
    People: ['/people', '.table tbody tr'],
    Audit: ['/audit', '.values'],
    'Health, a week': ['/health?hours=168', '.chart canvas'],
  } as const
  console.log(`\n${'Page, loaded anew'.padEnd(32)} ${'p50'.padStart(9)} ${'most'.padStart(9)}`)
  for (const [name, [path, shown]] of Object.entries(pages)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      await page.goto(`${url}/console${path}`)
      await page.locator(shown).first().waitFor()
      times.push(performance.now() - started)
    }
    print(name, times)
  }
  await browser.close()
}

function print(name: string, times: readonly number[]): void {
  const [middle, most] = [percentile([...times], 0.5), Math.max(...times)]
  console.log(
    `${name.padEnd(32)} ${`${middle.toFixed(0)} ms`.padStart(9)} ${`${most.toFixed(0)} ms`.padStart(9)}`,
  )
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
