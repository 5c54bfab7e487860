import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nearest } from '@surehand/cli'
import type { Pack } from '@surehand/core'
import type { Implementations } from '@surehand/documents'
import { readAdopted } from './adopted-servers.ts'
import { ConfigError } from './config-error.ts'
import { readInstallation } from './installation.ts'
import { BUILT_IN, type ListedPack, loadPacks } from './load-packs.ts'
import { type McpServers, readMcpServers } from './mcp-servers.ts'
import { type PackEnvironment, packEnvironment } from './pack-secrets.ts'
import {
  DEFAULTS,
  environmentVariable,
  readSettings,
  SETTING_NAMES,
  type SettingIssue,
  type Settings,
} from './settings.ts'

/**
 * What `surehand.config.ts` exports: settings, packs (by name, path or value), and providers for
 * their ports.
 */
export type ConfigFile = Partial<Record<keyof Settings, unknown>> & {
  readonly packs?: readonly ListedPack[]
  readonly providers?: Readonly<Record<string, object>>
  /**
   * The commands of MCP servers that administrators may mount, by name. Only this file decides
   * which programs run here.
   */
  readonly mcpServers?: Readonly<Record<string, unknown>>
  /**
   * The code behind tool definitions that administrators register: `implementations({ … })` of
   * `@surehand/documents`. Without it, none can be registered.
   */
  readonly implementations?: Implementations
}

/** Every setting, parsed, with its source. */
export type Config = Settings & {
  readonly packs: readonly Pack[]
  /** Providers for ports, which replace those of the packs. */
  readonly providers: Readonly<Record<string, object>>
  readonly packEnvironment: PackEnvironment
  readonly mcpServers: McpServers
  readonly implementations: Implementations | undefined
  readonly file: string | undefined
  readonly sources: ReadonlyMap<string, string>
}

export type ConfigSource = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** The configuration file that was named; default: the one in the folder. */
  readonly file?: string | undefined
  /** Settings from the command line; they override all others. */
  readonly overrides?: Partial<Record<keyof Settings, unknown>>
  /** The only tool that will be called: built-in packs without it are left empty. */
  readonly tool?: string | undefined
}

const FILES = [
  'surehand.config.ts',
  'surehand.config.mjs',
  'surehand.config.js',
  'surehand.config.json',
]

/**
 * Reads settings from the file, the environment and the command line; later ones override earlier
 * ones. They are parsed only here.
 */
export async function readConfig({
  env,
  folder,
  file,
  overrides = {},
  tool,
}: ConfigSource): Promise<Config> {
  const path = findFile(folder, file ?? env.SUREHAND_CONFIG)
  const {
    packs = [],
    providers = {},
    mcpServers = {},
    implementations,
    ...written
  } = path === undefined ? {} : await readFile(path)
  const sources = new Map<string, string>()
  const given: Record<string, unknown> = {}
  const take = (name: string, value: unknown, source: string): void => {
    if (value === undefined || value === '') return
    given[name] = value
    sources.set(name, source)
  }
  const data = resolveDataFolder({ env, folder, overrides }, written.data, path)
  for (const [name, value] of Object.entries(readInstallation(data) ?? {}))
    take(name, value, `"${name}" in the data folder ${data}`)
  for (const [name, value] of Object.entries(written)) take(name, value, `"${name}" in ${path}`)
  for (const [name, value] of Object.entries(fromEnvironment(env)))
    take(name, value, `the environment variable ${environmentVariable(name)}`)
  for (const [name, value] of Object.entries(overrides)) take(name, value, `--${name}`)
  const read = readSettings(given)
  if ('issues' in read)
    throw new ConfigError(read.issues.map((issue) => describeIssue(issue, sources)).join('\n'))
  const { settings } = read
  const adopted = readAdopted(data)
  const loaded = await loadPacks([...packs, ...namedPacks(packs, settings)], {
    folder: path === undefined ? folder : dirname(path),
    tool,
  })
  return {
    ...settings,
    data,
    privateHosts: [...settings.privateHosts, ...adopted.privateHosts],
    packs: loaded,
    providers,
    packEnvironment: packEnvironment(loaded, env),
    mcpServers: readMcpServers({ ...adopted.servers, ...mcpServers }, settings.home),
    implementations,
    file: path,
    sources,
  }
}

// A built-in pack that the configuration lists itself, perhaps with its own providers, is not added
// again.
function namedPacks(listed: readonly ListedPack[], { builtIn, demo }: Settings): readonly string[] {
  const names = new Set(listed.map((one) => (typeof one === 'string' ? one : one.name)))
  return [...new Set([...builtIn, ...(demo ? BUILT_IN : [])])].filter((name) => !names.has(name))
}

// A path in the configuration file is relative to that file.
function resolveDataFolder(
  { env, folder, overrides }: ConfigSource,
  written: unknown,
  file: string | undefined,
): string {
  const named = overrides?.data ?? env[environmentVariable('data')]
  if (typeof named === 'string' && named !== '') return resolveFrom(folder, named)
  return typeof written === 'string' && file !== undefined
    ? resolveFrom(dirname(file), written)
    : resolveFrom(folder, DEFAULTS.data)
}

function resolveFrom(folder: string, path: string): string {
  return isAbsolute(path) ? path : resolve(folder, path)
}

function findFile(folder: string, asked: string | undefined): string | undefined {
  if (asked === undefined) return FILES.map((name) => join(folder, name)).find(existsSync)
  const path = resolveFrom(folder, asked)
  if (!existsSync(path))
    throw new ConfigError(
      `There is no configuration at ${path}. Name an existing file, or leave --config out.`,
    )
  return path
}

async function readFile(path: string): Promise<ConfigFile> {
  try {
    if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8')) as ConfigFile
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: ConfigFile }
    if (typeof module.default === 'object' && module.default !== null) return module.default
  } catch (thrown) {
    throw new ConfigError(
      `${path} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      { cause: thrown },
    )
  }
  throw new ConfigError(
    `${path} exports no settings. It must contain "export default defineConfig({ … })".`,
  )
}

// An unknown SUREHAND_ variable is probably a typing error. These are read elsewhere.
const OTHERS = new Set([
  'SUREHAND_CONFIG',
  'SUREHAND_URL',
  'SUREHAND_TOKEN',
  'SUREHAND_PROFILE',
  'SUREHAND_FUZZ',
  'SUREHAND_JWT',
  'SUREHAND_CODE_CACHE',
])

function fromEnvironment(env: ConfigSource['env']): Record<string, unknown> {
  const names = new Map(SETTING_NAMES.map((name) => [environmentVariable(name), name]))
  const odd = Object.keys(env).find(
    (variable) => variable.startsWith('SUREHAND_') && !names.has(variable) && !OTHERS.has(variable),
  )
  if (odd !== undefined)
    throw new ConfigError(
      `The environment variable ${odd} is not a setting${suggestName(odd, [...names.keys()])}`,
    )
  const found = Object.fromEntries([...names].map(([variable, name]) => [name, env[variable]]))
  return {
    ...found,
    jwt: parseJwt(env.SUREHAND_JWT),
    otlpEndpoint: found.otlpEndpoint ?? env.OTEL_EXPORTER_OTLP_ENDPOINT,
  }
}

function parseJwt(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError(
      `The environment variable SUREHAND_JWT is not JSON. Write {"issuer":"…","audience":"…","jwksUrl":"…"}.`,
    )
  }
}

function describeIssue(
  { path, message, code, keys }: SettingIssue,
  sources: ReadonlyMap<string, string>,
): string {
  if (code === 'unrecognized_keys' && path.length === 0)
    return (keys ?? [])
      .map((key) => `${sources.get(key) ?? key} is not a setting${suggestName(key, SETTING_NAMES)}`)
      .join('\n')
  const [name = ''] = path.map(String)
  const inside = path.length > 1 ? ` (${path.map(String).join('.')})` : ''
  return `${sources.get(name) ?? `The setting ${name}`}${inside} ${message}.`
}

function suggestName(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === undefined ? `. The settings are ${words.join(', ')}.` : `. Did you mean ${near}?`
}
