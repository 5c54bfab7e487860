import { type FlagKinds, type FlagValues, flagValue } from './arguments.ts'
import type { CliOptions, LocalTarget } from './options.ts'
import { type Profile, readProfiles } from './profiles.ts'
import { UsageError } from './usage-error.ts'

/** Flags that every command takes: where it goes, and as whom. */
export const TARGET_FLAGS = {
  profile: 'value',
  data: 'value',
  config: 'value',
  as: 'value',
  tenant: 'value',
} as const satisfies FlagKinds

/** The flags that say where this command goes, for commands that are printed. */
export function targetWords(flags: FlagValues): readonly string[] {
  return Object.keys(TARGET_FLAGS).flatMap((name) => {
    const value = flagValue(flags, name)
    return value === undefined ? [] : [`--${name}`, value]
  })
}

/** Where a command goes. */
export type Target =
  | { readonly kind: 'remote'; readonly url: string; readonly token: string | undefined }
  | { readonly kind: 'local'; readonly at: LocalTarget }

/**
 * Flags win over the environment, the environment over the profile in use; without any of them, the
 * local data folder.
 */
export function resolveTarget(flags: FlagValues, env: CliOptions['env']): Target {
  const named = flagValue(flags, 'profile')
  if (named !== undefined) return targetFromProfile(findProfile(named, env), flags, env)
  const isHere = flagValue(flags, 'data') !== undefined || flagValue(flags, 'config') !== undefined
  if (isHere) return { kind: 'local', at: localTarget(flags) }
  if (env.SUREHAND_URL) return remoteTarget(env.SUREHAND_URL, undefined, flags, env)
  const { current } = readProfiles(env)
  return current === undefined
    ? { kind: 'local', at: localTarget(flags) }
    : targetFromProfile(findProfile(current, env), flags, env)
}

/** The local data folder and caller that the flags or a profile name. */
export function localTarget(
  flags: FlagValues,
  profile?: Extract<Profile, { kind: 'local' }>,
): LocalTarget {
  const config = flagValue(flags, 'config')
  const data = flagValue(flags, 'data') ?? profile?.data
  const principal = flagValue(flags, 'as') ?? profile?.principal
  const tenant = flagValue(flags, 'tenant') ?? profile?.tenant
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

function targetFromProfile(profile: Profile, flags: FlagValues, env: CliOptions['env']): Target {
  return profile.kind === 'local'
    ? { kind: 'local', at: localTarget(flags, profile) }
    : remoteTarget(profile.url, profile.token, flags, env)
}

function remoteTarget(
  url: string,
  token: string | undefined,
  flags: FlagValues,
  env: CliOptions['env'],
): Target {
  for (const name of ['as', 'tenant', 'data', 'config'])
    if (flags.has(name))
      throw new UsageError(
        `--${name} is for a local data folder: a server identifies the caller by the token.`,
        'surehand profile list',
      )
  return { kind: 'remote', url: parseServerUrl(url), token: env.SUREHAND_TOKEN || token }
}

export function parseServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new UsageError(
      `"${text}" is not the address of a server, such as https://tools.example.`,
      'surehand help profile',
    )
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'A server address must not contain a password: the token is read from a prompt or from SUREHAND_TOKEN.',
      'surehand help profile',
    )
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/** Would a token be sent unencrypted to another machine? */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return (
    protocol === 'http:' &&
    hostname !== 'localhost' &&
    hostname !== '[::1]' &&
    !hostname.startsWith('127.')
  )
}
