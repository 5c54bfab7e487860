import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isPostgresThere } from '@surehand/sql/testing/there'

/**
 * What a suite needs beyond `npm ci`: a database, a browser. `bring` tries to install it; `isThere`
 * says whether it is installed.
 */
export type Need = { what: string; isThere: () => boolean; bring?: () => Promise<void> }

/** Debian's packages; only root may install them. */
export type Packages = { mayInstall: () => boolean; install: (name: string) => Promise<void> }

/** Tries to install what is missing and returns the needs that are missing still. */
export async function missingNeeds(needs: Need[]): Promise<Need[]> {
  for (const need of needs) if (!need.isThere()) await need.bring?.()
  return needs.filter((need) => !need.isThere())
}

// Servers are installed in folders that only root's PATH contains.
const FURTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/** The path of the first of these programs that is installed. */
export function findProgram(names: string[], path = process.env.PATH ?? ''): string | undefined {
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), ...FURTHER_FOLDERS]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A program that a Debian package provides. */
export function debianPackage(need: Need, name: string, packages: Packages): Need {
  return {
    what: `${need.what} ("apt-get install ${name}" brings it)`,
    isThere: need.isThere,
    async bring() {
      if (packages.mayInstall()) await packages.install(name)
    },
  }
}

/** Runs a program and returns its exit code and output. */
export type Run = (
  program: string,
  parameters: string[],
) => Promise<{ code: number; output: string }>

/** Installs with apt-get as root; the package lists are updated once. */
export function aptPackages(run: Run = runQuietly, mayInstall = isRootWithApt): Packages {
  let isUpdated = false
  return {
    mayInstall,
    async install(name) {
      console.log(`${name}: installing it with apt-get, which may take a minute`)
      if (!isUpdated) await run('apt-get', ['update'])
      isUpdated = true
      const { code, output } = await run('apt-get', [
        'install',
        '-y',
        '--no-install-recommends',
        name,
      ])
      if (code !== 0)
        console.log(
          `${name}: apt-get ended with code ${code}\n${output.trim().split('\n').slice(-5).join('\n')}`,
        )
    },
  }
}

function isRootWithApt(): boolean {
  return process.getuid?.() === 0 && findProgram(['apt-get']) !== undefined
}

const runQuietly: Run = (program, parameters) =>
  new Promise((resolve) => {
    // A package that asks questions would wait for an answer forever.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const child = spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
    child.on('close', (code) => resolve({ code: code ?? 1, output: chunks.join('') }))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
  })

/** The browser that people use, with all that it has around a page. */
export const findChromium = (): string | undefined =>
  findProgram(['chromium', 'chromium-browser', 'google-chrome'])
const findHeadlessShell = (): string | undefined => findProgram(['chromium-headless-shell'])
/**
 * Chromium without its window, where it is installed: the same engine, and opening a page takes a
 * quarter of the CPU time.
 */
export const findHeadless = (): string | undefined => findHeadlessShell() ?? findChromium()
export const findNginx = (): string | undefined => findProgram(['nginx'])
export const findRadicale = (): string | undefined => findProgram(['radicale'])
export const findRedis = (): string | undefined => findProgram(['redis-server'])
export const findOpenssl = (): string | undefined => findProgram(['openssl'])

const apt = aptPackages()

/** Sixty megabytes, which only tests, benchmarks and chaos runs need. */
export const POSTGRES: Need = {
  ...installedApart({
    what: 'a PostgreSQL for this machine',
    folder: join('stores', 'sql', 'postgres'),
    proof: '',
  }),
  isThere: isPostgresThere,
}
export const CHROMIUM = debianPackage(
  { what: 'Chromium', isThere: () => findChromium() !== undefined },
  'chromium',
  apt,
)
let isHeadlessTried = false
/** The browser tests also run without it, and take half as long again. */
export const HEADLESS: Need = {
  what: 'Chromium without a window',
  isThere: () => isHeadlessTried || findHeadlessShell() !== undefined,
  async bring() {
    isHeadlessTried = true
    if (apt.mayInstall()) await apt.install('chromium-headless-shell')
  },
}
export const NGINX = debianPackage(
  { what: 'nginx', isThere: () => findNginx() !== undefined },
  'nginx-light',
  apt,
)
/**
 * OpenAPI documents of GitHub, Stripe and 2,600 others, and swagger-client; installed apart because
 * they are as large as half of all other packages together.
 */
export const DOCUMENTS: Need = installedApart({
  what: 'published OpenAPI documents',
  folder: join('sources', 'documents'),
  proof: join('@octokit', 'graphql-schema'),
})
/** A Vendure shop, which has 424 packages. */
export const VENDURE: Need = installedApart({
  what: 'a Vendure shop',
  folder: join('packs', 'site', 'vendure'),
  proof: join('@vendure', 'core'),
})

/** MCP Inspector, mcp-remote, the official suite, an MCP server for stays, WebMCP and Redocly. */
export const CLIENTS: Need = installedApart({
  what: 'MCP Inspector, mcp-remote, the official MCP suite and Redocly',
  folder: join('surfaces', 'mcp', 'clients'),
  proof: join('@mcp-b', 'webmcp-polyfill'),
})

/** The clients of Duffel and Supabase and the schemas of UCP, which judge our emulators. */
export const VENDORS_CLIENTS: Need = installedApart({
  what: 'published clients of vendors',
  folder: join('scripts', 'clients'),
  proof: join('@ucp-js', 'sdk'),
})

/** The linter and formatter: as large as a tenth of all other packages, and only for contributors. */
export const BIOME: Need = installedApart({
  what: 'Biome',
  folder: join('scripts', 'tools'),
  proof: join('@biomejs', 'biome'),
})

/** MCP servers that others have published. */
export const SERVERS: Need = installedApart({
  what: 'published MCP servers',
  folder: join('sources', 'mcp', 'servers'),
  proof: join('@modelcontextprotocol', 'server-filesystem'),
})

/** Packages in a folder of their own, with a lockfile of its own. */
function installedApart({
  what,
  folder,
  proof,
}: {
  readonly what: string
  readonly folder: string
  /** The package that was added last: an older install is made again. */
  readonly proof: string
}): Need {
  const place = join(import.meta.dirname, '..', folder)
  return {
    what: `${what} ("npm ci --ignore-scripts --prefix ${folder}" brings it)`,
    isThere: () => existsSync(join(place, 'node_modules', proof, 'package.json')),
    async bring() {
      console.log(`${what}: installing it from the registry, which may take some minutes`)
      const { code, output } = await runQuietly('npm', [
        'ci',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--prefix',
        place,
      ])
      if (code !== 0)
        console.log(
          `${what}: npm ended with code ${code}\n${output.trim().split('\n').slice(-5).join('\n')}`,
        )
    },
  }
}

export const OPENSSL = debianPackage(
  { what: 'openssl', isThere: () => findOpenssl() !== undefined },
  'openssl',
  apt,
)
export const RADICALE = debianPackage(
  { what: 'Radicale', isThere: () => findRadicale() !== undefined },
  'radicale',
  apt,
)
export const FAKETIME = debianPackage(
  {
    what: 'a wall clock that can be set (faketime)',
    isThere: () => findProgram(['faketime']) !== undefined,
  },
  'faketime',
  apt,
)
export const REDIS = debianPackage(
  { what: 'Redis', isThere: () => findRedis() !== undefined },
  'redis-server',
  apt,
)
