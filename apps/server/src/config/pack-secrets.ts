import { readFileSync } from 'node:fs'
import type { Pack } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { ConfigError } from './config-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a pack is given of the environment. */
export type PackEnvironment = (pack: Pack) => Pick<PackGiven, 'secret' | 'setting'>

/** What packs are given of the environment; whatever is missing is said at once, with what to do. */
export function packEnvironment(packs: readonly Pack[], env: Environment): PackEnvironment {
  const missing = packs.flatMap((pack) => missingSecrets(pack, env))
  if (missing.length > 0) throw new ConfigError(missing.join('\n'))
  return (pack) => createPackEnvironment(pack, env)
}

/** Where a secret comes from, without telling it; undefined where it is not set. */
export function secretSource(name: string, env: Environment): string | undefined {
  if (isSet(env[name])) return `the environment's ${name}`
  return isSet(env[fileVariable(name)])
    ? `the file of the environment's ${fileVariable(name)}`
    : undefined
}

function missingSecrets({ name: pack, needs }: Pack, env: Environment): readonly string[] {
  return Object.entries(needs.secrets ?? {})
    .filter(([name, { optional }]) => optional !== true && secretSource(name, env) === undefined)
    .map(
      ([name, need]) =>
        `The pack "${pack}" needs ${name} (${need.for}): set ${name}, or ${fileVariable(name)} to a file that holds it, in the environment.`,
    )
}

function createPackEnvironment(
  { name: pack, needs }: Pack,
  env: Environment,
): ReturnType<PackEnvironment> {
  // what is not in the manifest was not let in
  const declared = (needed: object | undefined, name: string): void => {
    if (!Object.hasOwn(needed ?? {}, name))
      throw new ConfigError(
        `The pack "${pack}" asks for ${name}, which its manifest does not declare.`,
      )
  }
  return {
    secret(name) {
      declared(needs.secrets, name)
      return readSecret(name, env)
    },
    setting(name) {
      declared(needs.settings, name)
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
