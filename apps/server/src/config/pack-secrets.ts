import { readFileSync } from 'node:fs'
import type { Pack, PackGiven } from '@surehand/core'
import { ConfigError } from './config-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What each pack's providers are made with, from the environment; whatever is missing is said at once, with what to do. */
export function packProviders(packs: readonly Pack[], env: Environment): Readonly<Record<string, object>> {
  const missing = packs.flatMap((pack) => missingSecrets(pack, env))
  if (missing.length > 0) throw new ConfigError(missing.join('\n'))
  return Object.assign({}, ...packs.map((pack) => pack.providers?.(givenTo(pack, env)) ?? {})) as Record<string, object>
}

/** Where a secret comes from, without telling it; undefined where it is not set. */
export function secretSource(name: string, env: Environment): string | undefined {
  if (isSet(env[name])) return `the environment's ${name}`
  return isSet(env[fileVariable(name)]) ? `the file of the environment's ${fileVariable(name)}` : undefined
}

function missingSecrets({ name: pack, needs }: Pack, env: Environment): readonly string[] {
  return Object.entries(needs.secrets ?? {})
    .filter(([name, { optional }]) => optional !== true && secretSource(name, env) === undefined)
    .map(
      ([name, need]) =>
        `The pack "${pack}" needs ${name} (${need.for}): set ${name}, or ${fileVariable(name)} to a file that holds it, in the environment.`,
    )
}

function givenTo({ name: pack, needs }: Pack, env: Environment): PackGiven {
  const declared = new Set(Object.keys(needs.secrets ?? {}))
  return {
    secret(name) {
      // what is not in the manifest was not let in
      if (!declared.has(name)) throw new ConfigError(`The pack "${pack}" asks for ${name}, which its manifest does not declare.`)
      return readSecret(name, env)
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
    throw new ConfigError(`The file ${file} of ${fileVariable(name)} can not be read.`, { cause })
  }
}

function fileVariable(name: string): string {
  return `${name}_FILE`
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}
