import { UsageError } from '@surehand/cli'
import { isRecord } from '@surehand/core/internal'
import { type ParseError, parse as parseJson } from 'jsonc-parser'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'

/** How a client describes its servers. */
export type ClientStyle = 'plain' | 'vscode' | 'zed' | 'opencode' | 'codex'

export type ChosenTools = {
  readonly only?: readonly string[]
  readonly without?: readonly string[]
}

/** A server as a client starts or reaches it; variables in its texts are not filled in yet. */
export type ClientServer = { readonly name: string } & (
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly envFile: string | undefined
      readonly cwd: string | undefined
      readonly tools: ChosenTools
    }
  | {
      readonly kind: 'http'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly tools: ChosenTools
    }
  | { readonly kind: 'left'; readonly reason: string }
)

export type ClientConfig = {
  readonly format: 'json' | 'toml'
  readonly style: ClientStyle
  /** Where the servers are in the file. */
  readonly path: readonly string[]
  readonly servers: readonly ClientServer[]
  /** Values that the client asks a person for, by id; whether each is a secret. */
  readonly inputs: ReadonlyMap<string, 'secret' | 'plain'>
}

type Entries = Readonly<Record<string, unknown>>

// The first that is found is taken. Desktop assistants and most agents use the first one.
const JSON_FORMS: readonly { readonly style: ClientStyle; readonly path: readonly string[] }[] = [
  { style: 'plain', path: ['mcpServers'] },
  { style: 'vscode', path: ['servers'] },
  { style: 'vscode', path: ['mcp', 'servers'] },
  { style: 'zed', path: ['context_servers'] },
  { style: 'plain', path: ['amp.mcpServers'] },
  { style: 'opencode', path: ['mcp'] },
]

/** The name under which Surehand stands in a client's file. */
export const SUREHAND_ENTRY = 'surehand'

/** Reads the MCP servers of a client's configuration: JSON, with comments or without, or TOML. */
export function readClientConfig(text: string, file: string): ClientConfig {
  const isToml = file.endsWith('.toml')
  const root = isToml ? parseTomlText(text, file) : parseJsonText(text, file)
  const forms = isToml
    ? [{ style: 'codex' as const, path: ['mcp_servers'] as readonly string[] }]
    : JSON_FORMS
  for (const { style, path } of forms) {
    const listed = findRecord(root, path)
    if (listed === undefined) continue
    return {
      format: isToml ? 'toml' : 'json',
      style,
      path,
      servers: Object.entries(listed)
        .filter(([name]) => name !== SUREHAND_ENTRY)
        .map(([name, server]) => readServer(name, server, style)),
      inputs: readInputs(root, path),
    }
  }
  throw new UsageError(
    `${file} lists no MCP servers. It should contain ${forms.map(({ path }) => `"${path.join('.')}"`).join(' or ')}.`,
    'surehand help adopt',
  )
}

/** The data of a client's file, to compare before and after an edit. */
export function parseClientFile(text: string, format: 'json' | 'toml', file: string): Entries {
  return format === 'toml' ? parseTomlText(text, file) : parseJsonText(text, file)
}

function parseJsonText(text: string, file: string): Entries {
  const errors: ParseError[] = []
  const root: unknown = parseJson(text, errors, { allowTrailingComma: true })
  if (errors.length === 0 && isRecord(root)) return root
  throw unreadable(file, 'a JSON object')
}

function parseTomlText(text: string, file: string): Entries {
  try {
    const root: unknown = getStaticTOMLValue(parseTOML(text))
    if (isRecord(root)) return root
  } catch {
    // The parser's text names no line that helps more than the file does.
  }
  throw unreadable(file, 'TOML')
}

function unreadable(file: string, what: string): UsageError {
  return new UsageError(`${file} is not ${what}. Nothing was changed.`, 'surehand help adopt')
}

function findRecord(root: Entries, path: readonly string[]): Entries | undefined {
  let at: unknown = root
  for (const key of path) at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  return isRecord(at) ? at : undefined
}

function readInputs(root: Entries, path: readonly string[]): ClientConfig['inputs'] {
  const holder = path.length > 1 ? findRecord(root, path.slice(0, -1)) : root
  const listed = Array.isArray(holder?.inputs) ? holder.inputs.filter(isRecord) : []
  return new Map(
    listed.map((input) => [String(input.id), input.password === true ? 'secret' : 'plain']),
  )
}

function readServer(name: string, written: unknown, style: ClientStyle): ClientServer {
  const leaveServer = (reason: string): ClientServer => ({ name, kind: 'left', reason })
  if (!isRecord(written)) return leaveServer('it is not described by an object')
  if (written.disabled === true || written.enabled === false)
    return leaveServer('it is switched off in this file')
  const server = style === 'opencode' ? withEnvironmentWords(written) : written
  const address = server.url ?? server.serverUrl ?? server.httpUrl
  if (typeof address === 'string') return readRemote(name, address, server)
  // An older form of Zed has the arguments and variables within the command.
  const inner = isRecord(server.command) ? server.command : server
  const [command, ...first] = Array.isArray(inner.command)
    ? inner.command
    : [inner.command ?? inner.path]
  if (typeof command !== 'string' || command === '')
    return leaveServer(
      'it has neither a command nor an address: an extension of the client starts it',
    )
  return {
    name,
    kind: 'stdio',
    command,
    args: [...first, ...(Array.isArray(inner.args) ? inner.args : [])].map(String),
    env: {
      ...inheritedVariables(server.env_vars),
      ...toTexts(inner.env ?? server.env ?? server.environment),
    },
    envFile: typeof server.envFile === 'string' ? server.envFile : undefined,
    cwd: typeof server.cwd === 'string' ? server.cwd : undefined,
    tools: readChosenTools(server),
  }
}

function readRemote(name: string, url: string, server: Entries): ClientServer {
  if (server.type === 'sse' || server.type === 'ws')
    return {
      name,
      kind: 'left',
      reason: `it uses the transport "${server.type}", which MCP has replaced by Streamable HTTP: give its newer address`,
    }
  const token = server.bearer_token_env_var
  const fromEnvironment = Object.fromEntries(
    Object.entries(toTexts(server.env_http_headers)).map(([header, variable]) => [
      header,
      `\${env:${variable}}`,
    ]),
  )
  return {
    name,
    kind: 'http',
    url,
    tools: readChosenTools(server),
    headers: {
      ...toTexts(server.headers ?? server.http_headers),
      ...fromEnvironment,
      ...(typeof token === 'string' ? { Authorization: `Bearer \${env:${token}}` } : {}),
    },
  }
}

/** Which tools of a server the client uses. */
function readChosenTools(server: Entries): ChosenTools {
  const only = server.enabled_tools ?? server.includeTools
  const without = server.disabled_tools ?? server.excludeTools ?? server.disabledTools
  return {
    ...(Array.isArray(only) ? { only: only.map(String) } : {}),
    ...(Array.isArray(without) ? { without: without.map(String) } : {}),
  }
}

function inheritedVariables(names: unknown): Readonly<Record<string, string>> {
  if (!Array.isArray(names)) return {}
  const read = names.map((one) => (isRecord(one) ? String(one.name) : String(one)))
  return Object.fromEntries(read.map((name) => [name, `\${env:${name}}`]))
}

function toTexts(written: unknown): Readonly<Record<string, string>> {
  if (!isRecord(written)) return {}
  return Object.fromEntries(
    Object.entries(written)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )
}

// opencode writes `{env:NAME}`.
function withEnvironmentWords(server: Entries): Entries {
  return JSON.parse(JSON.stringify(server).replaceAll(/(?<!\$)\{env:(\w+)\}/g, '$${env:$1}'))
}
