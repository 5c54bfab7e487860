import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Finds the version that a package of npm has now. */
export type FindVersion = (name: string, range: string, cwd: string) => Promise<string | undefined>

export type Pinned = {
  readonly args: readonly string[]
  /** `name@version` where a package is started by npx; undefined for other commands. */
  readonly packages: readonly string[]
  /** A package whose version could not be found. */
  readonly unknown?: string
}

const LAUNCHERS = new Set(['npx', 'bunx', 'pnpx'])
const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
}
const TAKES_VALUE = new Set([
  ...['-p', '--package', '-c', '--call', '-w', '--workspace', '--registry', '--prefix'],
  ...['--cache', '--userconfig', '--node-options'],
])
const EXACT = /^\d+\.\d+\.\d+(?:[-+].+)?$/

/**
 * The arguments with exact versions for the packages that npx and its like start, so that what runs
 * tomorrow is what was looked at today.
 */
export async function pinPackages(
  command: string,
  args: readonly string[],
  { cwd, findVersion }: { readonly cwd: string; readonly findVersion: FindVersion },
): Promise<Pinned> {
  const pinned = [...args]
  const packages: string[] = []
  for (const at of packagePositions(command, args)) {
    const written = args[at] ?? ''
    const [, flag = '', name, range = 'latest'] =
      /^(--package=)?((?:@[\w.-]+\/)?[\w.-]+)(?:@(.+))?$/.exec(written) ?? []
    // A path, an archive or a repository: its bytes are not ours to pin.
    if (name === undefined || range.includes('/')) continue
    const version = EXACT.test(range) ? range : await findVersion(name, range, cwd)
    if (version === undefined) return { args, packages, unknown: `${name}@${range}` }
    pinned[at] = `${flag}${name}@${version}`
    packages.push(`${name}@${version}`)
  }
  return { args: pinned, packages }
}

function packagePositions(command: string, args: readonly string[]): readonly number[] {
  const start = launcherEnd(command, args)
  if (start === undefined) return []
  const named: number[] = []
  for (let at = start; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '-p' || arg === '--package') named.push(at + 1)
    if (arg.startsWith('--package=')) named.push(at)
    if (TAKES_VALUE.has(arg)) at++
    else if (!arg.startsWith('-')) return named.length > 0 ? named : [at]
    else if (arg === '--') return named.length > 0 ? named : [at + 1]
  }
  return named
}

/** Where the arguments of the launcher begin; undefined for any other command. */
function launcherEnd(command: string, args: readonly string[]): number | undefined {
  const program = programOf(command)
  if (program === 'cmd' && /^\/c$/i.test(args[0] ?? '')) {
    const [, inner = '', ...rest] = args
    const end = launcherEnd(inner, rest)
    return end === undefined ? undefined : end + 2
  }
  if (LAUNCHERS.has(program)) return 0
  return SUBCOMMANDS[program]?.includes(args[0] ?? '') ? 1 : undefined
}

function programOf(command: string): string {
  return (command.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:cmd|exe|ps1)$/i, '').toLowerCase()
}

const LOOK_UP_MS = 60_000

/** The version in the folder's own installation, which npx prefers, or else in the registry. */
export const findPackageVersion: FindVersion = async (name, range, cwd) => {
  if (!/^[\w.^~*+-]+$/.test(range)) return undefined
  const installed = installedVersion(name, cwd)
  if (installed !== undefined && range === 'latest') return installed
  try {
    const { stdout } = await promisify(execFile)(
      'npm',
      ['view', `${name}@${range}`, 'version', '--json'],
      // npm is a script there, which only a shell can start; the name was checked above.
      { timeout: LOOK_UP_MS, shell: process.platform === 'win32', windowsHide: true },
    )
    const found: unknown = JSON.parse(stdout)
    const version = Array.isArray(found) ? found.at(-1) : found
    return typeof version === 'string' && EXACT.test(version) ? version : undefined
  } catch {
    // Without npm or a registry nothing can be looked up; the caller says so.
    return undefined
  }
}

function installedVersion(name: string, cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', name, 'package.json')
    if (existsSync(file)) {
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: string }
      return version
    }
    if (dirname(folder) === folder) return undefined
  }
}
