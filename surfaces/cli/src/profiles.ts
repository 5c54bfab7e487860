import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { homeFolder } from './home-folder.ts'
import { UsageError } from './usage-error.ts'

/** Where commands go: a server, or a data folder of this machine. */
export type Profile =
  | { readonly kind: 'remote'; readonly url: string; readonly token: string | undefined }
  | {
      readonly kind: 'local'
      readonly data: string
      readonly principal: string | undefined
      readonly tenant: string | undefined
    }

export type Profiles = {
  readonly current: string | undefined
  readonly byName: ReadonlyMap<string, Profile>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Undefined for a user who has no home folder. */
function profilesFile(env: Environment, ofUser?: () => string): string | undefined {
  const home = homeFolder(env, ofUser)
  const base = env.XDG_CONFIG_HOME || (home && join(home, '.config'))
  return base && join(base, 'surehand', 'profiles.json')
}

export function readProfiles(env: Environment, ofUser?: () => string): Profiles {
  const file = profilesFile(env, ofUser)
  if (file === undefined) return { current: undefined, byName: new Map() }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    // ENOTDIR: service users have /dev/null as their home.
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? ''))
      return { current: undefined, byName: new Map() }
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}.`, `ls -l ${file}`)
  }
  return parseProfiles(text, file)
}

/**
 * Written atomically and readable by its owner only: it holds tokens. Returns the file's path.
 */
export function writeProfiles(
  env: Environment,
  { current, byName }: Profiles,
  ofUser?: () => string,
): string {
  const file = profilesFile(env, ofUser)
  if (file === undefined)
    throw new UsageError(
      'Profiles cannot be stored: this user has no home folder.',
      'XDG_CONFIG_HOME=FOLDER surehand profile add',
    )
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  const profiles = Object.fromEntries([...byName].map(([name, profile]) => [name, profile]))
  writeFileSync(draft, `${JSON.stringify({ current, profiles }, undefined, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
  return file
}

function parseProfiles(text: string, file: string): Profiles {
  const broken = new UsageError(
    `${file} is damaged: "surehand profile" cannot read it.`,
    `mv ${file} ${file}.old`,
  )
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw broken
  }
  if (!isRecord(document) || !isRecord(document.profiles)) throw broken
  const byName = new Map<string, Profile>()
  for (const [name, value] of Object.entries(document.profiles)) {
    const profile = parseProfile(value)
    if (profile === undefined) throw broken
    byName.set(name, profile)
  }
  return { current: textOf(document.current), byName }
}

function parseProfile(value: unknown): Profile | undefined {
  if (!isRecord(value)) return undefined
  if (value.kind === 'remote' && typeof value.url === 'string')
    return { kind: 'remote', url: value.url, token: textOf(value.token) }
  if (value.kind !== 'local' || typeof value.data !== 'string') return undefined
  return {
    kind: 'local',
    data: value.data,
    principal: textOf(value.principal),
    tenant: textOf(value.tenant),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

// Not the one of core: every command loads this file, and core's would add its table of errors.
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
