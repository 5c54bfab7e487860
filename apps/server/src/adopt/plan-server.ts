import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type ServerAddress, soundsSecret } from '@surehand/mounted-mcp'
import type { ChosenTools, ClientServer } from './client-config.ts'
import { expandVariables, type VariableScope } from './expand-variables.ts'
import { type FindVersion, type Pinned, pinPackages } from './pin-package.ts'

/** What becomes of a server of a client: a mount, its command, and its secrets in the vault. */
export type ServerPlan = {
  /** The name in the client's file, and that of the import. */
  readonly name: string
  readonly mount: string
  readonly tools: ChosenTools
  readonly packages: readonly string[]
  readonly credentials: readonly PlannedCredential[]
  /** Settings of the mount, without the overlay. */
  readonly settings: MountSettings
} & (
  | {
      readonly kind: 'stdio'
      readonly address: Extract<ServerAddress, { kind: 'stdio' }>
      readonly secrets: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'http'
      /** As the mount keeps it, without secrets. */
      readonly url: string
      /** As the client has it. */
      readonly written: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
      /** A host of a private network that has to be opened. */
      readonly privateHost: string | undefined
    }
)

export type MountSettings = {
  readonly credential?: string
  readonly headers?: Readonly<Record<string, { value: string } | { credential: string }>>
  readonly query?: Readonly<Record<string, string>>
}

export type PlannedCredential = {
  readonly id: string
  readonly form: object
  /** The variable, header or parameter, for people. */
  readonly names: readonly string[]
}

export type LeftServer = { readonly name: string; readonly reason: string }

export type PlanContext = {
  readonly scope: VariableScope
  /** The folder of the client's file. */
  readonly folder: string
  readonly findVersion: FindVersion
  readonly pins: 'exact' | 'as written'
}

// What the official SDK lets a server inherit; clients pass on at least these.
const INHERITED =
  process.platform === 'win32'
    ? [
        ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PROCESSOR_ARCHITECTURE'],
        ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE', 'PROGRAMFILES'],
      ]
    : ['HOME', 'LOGNAME', 'SHELL', 'TERM', 'USER', 'LANG']

/** Plans how a server is mounted, or says why it is left as it is. */
export async function planServer(
  server: ClientServer,
  mount: string,
  context: PlanContext,
): Promise<ServerPlan | LeftServer> {
  const { name } = server
  if (server.kind === 'left') return { name, reason: server.reason }
  try {
    return server.kind === 'stdio'
      ? await planCommand(server, mount, context)
      : planAddress(server, mount, context)
  } catch (thrown) {
    if (thrown instanceof CannotAdopt) return { name, reason: thrown.message }
    throw thrown
  }
}

class CannotAdopt extends Error {}

function expand(text: string, { scope }: PlanContext): string {
  const expanded = expandVariables(text, scope)
  if ('missing' in expanded) throw new CannotAdopt(expanded.missing)
  return expanded.text
}

async function planCommand(
  server: Extract<ClientServer, { kind: 'stdio' }>,
  mount: string,
  context: PlanContext,
): Promise<ServerPlan> {
  const { name, tools } = server
  const { project } = context.scope
  const cwd =
    server.cwd === undefined
      ? project
      : resolve(project ?? context.folder, expand(server.cwd, context))
  const command = expand(server.command, context)
  const written = server.args.map((arg) => expand(arg, context))
  const pinned = await pin(command, written, context, cwd)
  const { env, secrets } = splitVariables({
    ...readEnvFile(server.envFile, context),
    ...Object.fromEntries(
      Object.entries(server.env).map(([variable, value]) => [variable, expand(value, context)]),
    ),
  })
  const args = hideArguments(pinned.args, secrets)
  const id = `${mount}.environment`
  const names = Object.keys(secrets)
  return {
    kind: 'stdio',
    name,
    mount,
    tools,
    packages: pinned.packages,
    address: {
      kind: 'stdio',
      command,
      args,
      ...(cwd === undefined ? {} : { cwd }),
      inherit: INHERITED,
      env,
    },
    secrets,
    credentials:
      names.length === 0
        ? []
        : [{ id, names, form: { kind: 'environment', server: mount, variables: secrets } }],
    settings: names.length === 0 ? {} : { credential: id },
  }
}

async function pin(
  command: string,
  args: readonly string[],
  { pins, findVersion, folder }: PlanContext,
  cwd: string | undefined,
): Promise<Pinned> {
  if (pins === 'as written') return { args, packages: [] }
  const pinned = await pinPackages(command, args, { cwd: cwd ?? folder, findVersion })
  if (pinned.unknown !== undefined)
    throw new CannotAdopt(
      `the version of ${pinned.unknown} could not be looked up: try again when the registry can be reached, write a version into the file, or use --unpinned`,
    )
  return pinned
}

function readEnvFile(file: string | undefined, context: PlanContext): Record<string, string> {
  if (file === undefined) return {}
  const path = resolve(context.scope.project ?? context.folder, expand(file, context))
  try {
    return parseEnv(readFileSync(path, 'utf8')) as Record<string, string>
  } catch {
    throw new CannotAdopt(`its file of variables, ${path}, cannot be read`)
  }
}

type Split = {
  readonly env: Readonly<Record<string, string>>
  readonly secrets: Record<string, string>
}

function splitVariables(variables: Readonly<Record<string, string>>): Split {
  const env: Record<string, string> = {}
  const secrets: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables))
    (isSecret(name, value) ? secrets : env)[name] = value
  return { env, secrets }
}

const TOKEN =
  /^(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abeps]|AKIA|ntn|secret|npm|hf|lin_api)[-_]\S{8}|^eyJ[\w-]+\.[\w-]+/
const PASSWORD_IN_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
const NO_SECRET =
  /^(?:true|false|yes|no|on|off|\d{1,8}|https?:\/\/[^?@]*|[~.]?\/.*|[A-Za-z]:\\.*)$/i

/** Whether a value belongs into the vault, by its name and by its form. */
export function isSecret(name: string, value: string): boolean {
  // The vault keeps no shorter ones: they occur in ordinary texts.
  if (value.length < 4) return false
  if (TOKEN.test(value) || PASSWORD_IN_URL.test(value)) return true
  return soundsSecret(name) && !NO_SECRET.test(value)
}

/** Replaces secrets among the arguments by `${NAME}`, and adds them to `secrets`. */
function hideArguments(
  args: readonly string[],
  secrets: Record<string, string>,
): readonly string[] {
  return args.map((arg, at) => {
    const [, flag = '', own = ''] = /^(--?[\w-]+=)([\s\S]+)$/.exec(arg) ?? []
    const before = args[at - 1] ?? ''
    const name = flag === '' && /^--?[A-Za-z]/.test(before) && !before.includes('=') ? before : flag
    const value = flag === '' ? arg : own
    if (flag === '' && arg.startsWith('-')) return arg
    if (!isSecret(name === '-p' || name === '--package' ? '' : name, value)) return arg
    const variable = `ARGUMENT_${at + 1}`
    secrets[variable] = value
    return `${flag}\${${variable}}`
  })
}

function planAddress(
  server: Extract<ClientServer, { kind: 'http' }>,
  mount: string,
  context: PlanContext,
): ServerPlan {
  const text = expand(server.url, context)
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CannotAdopt('its address is no http or https address')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new CannotAdopt('its address contains a user name or a password: send it as a header')
  const headers = Object.fromEntries(
    Object.entries(server.headers).map(([name, value]) => [name, expand(value, context)]),
  )
  const { origin } = url
  const credentials: PlannedCredential[] = []
  const key = (name: string, value: string): string => {
    const id = `${mount}.${name.replaceAll(/[^\w.-]/g, '_')}`.slice(0, 96)
    credentials.push({ id, names: [name], form: { kind: 'apiKey', origins: [origin], value } })
    return id
  }
  const query: Record<string, string> = {}
  for (const [name, value] of [...url.searchParams])
    if (isSecret(name, value)) {
      query[name] = key(name, value)
      url.searchParams.delete(name)
    }
  const settings = planHeaders(headers, { mount, origin, credentials, key })
  if (credentials.length > 0 && url.protocol === 'http:' && !isPrivate(url.hostname))
    throw new CannotAdopt('it sends a secret without encryption: use its https address')
  return {
    kind: 'http',
    name: server.name,
    mount,
    tools: server.tools,
    packages: [],
    url: url.href,
    written: { url: text, headers },
    privateHost: isPrivate(url.hostname) ? `${url.hostname}:${portOf(url)}` : undefined,
    credentials,
    settings: { ...settings, ...(Object.keys(query).length === 0 ? {} : { query }) },
  }
}

type Keeping = {
  readonly mount: string
  readonly origin: string
  readonly credentials: PlannedCredential[]
  readonly key: (name: string, value: string) => string
}

function planHeaders(
  headers: Readonly<Record<string, string>>,
  { mount, origin, credentials, key }: Keeping,
): MountSettings {
  const kept: Record<string, { value: string } | { credential: string }> = {}
  let credential: string | undefined
  for (const [name, value] of Object.entries(headers)) {
    const [, token] = /^Bearer (\S{4,})$/i.exec(value) ?? []
    if (name.toLowerCase() === 'authorization' && token !== undefined) {
      credential = `${mount}.server`
      const form = { kind: 'bearer', origins: [origin], token }
      credentials.push({ id: credential, names: [name], form })
    } else kept[name] = isSecret(name, value) ? { credential: key(name, value) } : { value }
  }
  return {
    ...(credential === undefined ? {} : { credential }),
    ...(Object.keys(kept).length === 0 ? {} : { headers: kept }),
  }
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}

const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, prefix)
PRIVATE.addAddress('::1', 'ipv6')

function isPrivate(hostname: string): boolean {
  const address = hostname.replaceAll(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family === 0) return hostname === 'localhost' || hostname.endsWith('.localhost')
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
