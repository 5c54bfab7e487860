import { type FlagKinds, one } from './arguments.ts'
import type { CliOptions, LocalTarget } from './options.ts'
import { type Profile, readProfiles } from './profiles.ts'
import { UsageError } from './usage-error.ts'

/** Flags that every command takes: where the app is, and as whom. */
export const TARGET_FLAGS = {
  profile: 'value',
  data: 'value',
  config: 'value',
  as: 'value',
  tenant: 'value',
} as const satisfies FlagKinds

/** Where a command goes. */
export type Target =
  | { readonly kind: 'remote'; readonly url: string; readonly token: string | undefined }
  | { readonly kind: 'local'; readonly at: LocalTarget }

type Flags = ReadonlyMap<string, readonly string[]>

/** Flags before the environment before the profile in use; with none of them, the app in the app's own folder. */
export function resolveTarget(flags: Flags, env: CliOptions['env']): Target {
  const named = one(flags, 'profile')
  if (named !== undefined) return targetFromProfile(findProfile(named, env), flags, env)
  const isHere = one(flags, 'data') !== undefined || one(flags, 'config') !== undefined
  if (isHere) return { kind: 'local', at: localTarget(flags) }
  if (env.SUREHAND_URL) return remoteTarget(env.SUREHAND_URL, undefined, flags, env)
  const { current } = readProfiles(env)
  return current === undefined
    ? { kind: 'local', at: localTarget(flags) }
    : targetFromProfile(findProfile(current, env), flags, env)
}

/** For the app's own commands, which are about a local app. */
export function localTarget(
  flags: Flags,
  profile?: Extract<Profile, { kind: 'local' }>,
): LocalTarget {
  const config = one(flags, 'config')
  const data = one(flags, 'data') ?? profile?.data
  const principal = one(flags, 'as') ?? profile?.principal
  const tenant = one(flags, 'tenant') ?? profile?.tenant
  return {
    ...(config === undefined ? {} : { config }),
    ...(data === undefined ? {} : { data }),
    ...(principal === undefined ? {} : { principal }),
    ...(tenant === undefined ? {} : { tenant }),
  }
}

function findProfile(name: string, env: CliOptions['env']): Profile {
  const profile = readProfiles(env).byName.get(name)
  if (profile === undefined)
    throw new UsageError(`There is no profile "${name}".`, 'surehand profile list')
  return profile
}

function targetFromProfile(profile: Profile, flags: Flags, env: CliOptions['env']): Target {
  return profile.kind === 'local'
    ? { kind: 'local', at: localTarget(flags, profile) }
    : remoteTarget(profile.url, profile.token, flags, env)
}

function remoteTarget(
  url: string,
  token: string | undefined,
  flags: Flags,
  env: CliOptions['env'],
): Target {
  for (const name of ['as', 'tenant', 'data', 'config'])
    if (flags.has(name))
      throw new UsageError(
        `--${name} is for a local app: a server knows by the token who is calling.`,
        'surehand profile list',
      )
  return { kind: 'remote', url: parseServerUrl(url), token: env.SUREHAND_TOKEN || token }
}

export function parseServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new UsageError(
      `"${text}" is no address of a server, such as https://tools.example.`,
      'surehand help profile',
    )
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'An address holds no password: the token is asked for, or read from SUREHAND_TOKEN.',
      'surehand help profile',
    )
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/** Would a token go over the wire in plain sight? */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return (
    protocol === 'http:' &&
    hostname !== 'localhost' &&
    hostname !== '[::1]' &&
    !hostname.startsWith('127.')
  )
}
