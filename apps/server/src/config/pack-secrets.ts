import { readFileSync } from 'node:fs'
import type { Pack } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { ConfigError } from './config-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The secrets and settings that a pack may read from the environment. */
export type PackEnvironment = (pack: Pack) => Pick<PackGiven, 'secret' | 'setting'>

/**
 * Creates each pack's access to the environment; throws at once if a required secret is missing.
 */
export function packEnvironment(packs: readonly Pack[], env: Environment): PackEnvironment {
  const missing = packs.flatMap((pack) => missingSecrets(pack, env))
  if (missing.length > 0) throw new ConfigError(missing.join('\n'))
  return (pack) => createPackEnvironment(pack, env)
}

/** Where a secret comes from, without its value; undefined where it is not set. */
export function secretSource(name: string, env: Environment): string | undefined {
  if (isSet(env[name])) return `the environment variable ${name}`
  return isSet(env[fileVariable(name)]) ? `the file named by ${fileVariable(name)}` : undefined
}

function missingSecrets({ name: pack, needs }: Pack, env: Environment): readonly string[] {
  return Object.entries(needs.secrets ?? {})
    .filter(([name, { optional }]) => optional !== true && secretSource(name, env) === undefined)
    .map(
      ([name, need]) =>
        `The pack "${pack}" needs ${name} (${need.for}). Set the environment variable ${name}, or ${fileVariable(name)} to a file that contains it.`,
    )
}

function createPackEnvironment(
  { name: pack, needs }: Pack,
  env: Environment,
): ReturnType<PackEnvironment> {
  // A pack may read only what its manifest declares.
  const requireDeclared = (needed: object | undefined, name: string): void => {
    if (!Object.hasOwn(needed ?? {}, name))
      throw new ConfigError(
        `The pack "${pack}" reads ${name}, which its manifest does not declare. Add it to "needs".`,
      )
  }
  return {
    secret(name) {
      requireDeclared(needs.secrets, name)
      return readSecret(name, env)
    },
    setting(name) {
      requireDeclared(needs.settings, name)
      const value = env[name]
      return isSet(value) ? value : undefined
    },
  }
}

function readSecret(name: string, env: Environment): string | undefined {
  const plain = env[name]
  if (isSet(plain)) return plain
  const file = env[fileVariable(name)]
  if (!isSet(file)) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ConfigError(`The file ${file} of ${fileVariable(name)} cannot be read.`, { cause })
  }
}

function fileVariable(name: string): string {
  return `${name}_FILE`
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}
