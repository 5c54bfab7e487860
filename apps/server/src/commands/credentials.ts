import { parseArgs } from 'node:util'
import type { Terminal } from '@surehand/cli'
import { type Caller, ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { ListedCredential } from '@surehand/vault'
import type { App } from '../app.ts'
import { addressesOf } from '../serve/addresses.ts'
import { asPrincipal, type Output, printAnswer, type RunCommand, wrongUsage } from './with-app.ts'

/** Manages the credentials of tenant tools in a local data folder. */
export const runCredentials: RunCommand = asPrincipal(credentials)

async function credentials(
  app: App,
  by: Caller,
  [verb = 'list', id, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  const api = app.imports.credentials
  if (verb === 'list') {
    const data = await api.list(by)
    printAnswer(output, { data, text: data.map((one) => `${formatCredential(one)}\n`).join('') })
    return 0
  }
  if (id === undefined) throw wrongUsage('credentials')
  const before = (await api.list(by)).find((one) => one.id === id)
  if (verb === 'remove') {
    if (before === undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `There is no credential "${visibleText(id)}". List them with "surehand credentials".`,
      )
    await api.remove(by, id, before.version)
    printAnswer(output, {
      data: { id, removed: true },
      text: `${visibleText(id)} was removed.\n`,
    })
    return 0
  }
  if (verb === 'authorize') {
    const { publicUrl } = addressesOf(app.config, app.config.port)
    const url = `${publicUrl}/credentials/${encodeURIComponent(id)}`
    const note = 'Open this address in a browser while the server runs, and sign in.\n'
    printAnswer(output, { data: { url }, text: `${url}\n`, note })
    return 0
  }
  if (verb !== 'set') throw wrongUsage('credentials')
  const form = await readForm(rest, output)
  if (form === undefined) throw wrongUsage('credentials')
  const data = await api.put(by, id, form, before?.version)
  printAnswer(output, { data, text: `${formatCredential(data)}\n` })
  return 0
}

const FLAGS = {
  kind: { type: 'string' },
  origin: { type: 'string', multiple: true },
  username: { type: 'string' },
  'client-id': { type: 'string' },
  'token-url': { type: 'string' },
  'authorize-url': { type: 'string' },
  scope: { type: 'string', multiple: true },
  for: { type: 'string' },
  region: { type: 'string' },
  service: { type: 'string' },
  server: { type: 'string' },
  variable: { type: 'string', multiple: true },
} as const

// Secrets are lines of standard input: every user of the machine can read arguments.
async function readForm(args: readonly string[], terminal: Terminal): Promise<object | undefined> {
  const { values } = parseArgs({ args: [...args], options: FLAGS })
  const { kind, origin: origins, scope: scopes, server, variable: names } = values
  if (kind === 'environment') {
    if (server === undefined || names === undefined) return undefined
    const lines = await readLines(terminal, names)
    const variables = Object.fromEntries(names.map((name, at) => [name, lines[at] ?? '']))
    return { kind, server, variables }
  }
  if (kind === undefined || origins === undefined) return undefined
  if (kind === 'aws') return readAwsForm(values, origins, terminal)
  const [secret = ''] = await readLines(terminal, ['the secret'])
  const client = {
    clientId: values['client-id'],
    tokenUrl: values['token-url'],
    ...(scopes === undefined ? {} : { scopes }),
    ...(secret === '' ? {} : { clientSecret: secret }),
  }
  switch (kind) {
    case 'apiKey':
      return { kind, origins, value: secret }
    case 'bearer':
      return { kind, origins, token: secret }
    case 'basic':
      return { kind, origins, username: values.username ?? '', password: secret }
    case 'clientCredentials':
      return { kind, origins, ...client }
    case 'authorizationCode':
      return {
        kind,
        origins,
        ...client,
        authorizeUrl: values['authorize-url'],
        ...(values.for === undefined ? {} : { for: values.for }),
      }
    default:
      return undefined
  }
}

type AwsFlags = { readonly region?: string | undefined; readonly service?: string | undefined }

async function readAwsForm(
  { region, service }: AwsFlags,
  origins: readonly string[],
  terminal: Terminal,
): Promise<object | undefined> {
  if (region === undefined) return undefined
  const [accessKeyId, secretAccessKey, sessionToken = ''] = await readLines(terminal, [
    'the access key id',
    'the secret access key',
    'the session token (or nothing)',
  ])
  return {
    kind: 'aws',
    origins,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === '' ? {} : { sessionToken }),
    region,
    ...(service === undefined ? {} : { service }),
  }
}

async function readLines(
  { stdin, stderr }: Terminal,
  wanted: readonly string[],
): Promise<readonly string[]> {
  stderr.write(
    wanted.length === 1
      ? `Enter ${wanted[0]}, followed by Enter:\n`
      : `Enter ${wanted.join(', ')}, each followed by Enter:\n`,
  )
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.split('\n').length > wanted.length) break
  }
  return text
    .split('\n')
    .slice(0, wanted.length)
    .map((line) => line.trim())
}

function formatCredential({ id, state, record, problem, consents }: ListedCredential): string {
  const needs = consents.needed > 0 ? `, ${consents.needed} consents must be given again` : ''
  const facts = record === undefined ? state : `${record.kind.padEnd(18)} ${formatUse(record)}`
  const why =
    problem === undefined
      ? []
      : [problem.reason, ...problem.suggestions].map((text) => `\n    ${visibleText(text)}`)
  return `${visibleText(id).padEnd(28)} ${facts}${needs}${why.join('')}`
}

function formatUse(record: NonNullable<ListedCredential['record']>): string {
  return record.kind === 'environment'
    ? `${record.variables.join(', ')} of the server ${visibleText(record.server)}`
    : record.origins.join(', ')
}
