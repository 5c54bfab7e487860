import { parseArgs } from 'node:util'
import type { Terminal } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { ListedCredential } from '@surehand/vault'
import type { App } from '../app.ts'
import { addressesOf } from '../serve/addresses.ts'
import { asPrincipal, printUsage, type RunCommand } from './with-app.ts'

/** Manages the credentials of tenant tools in a local data folder. */
export const runCredentials: RunCommand = asPrincipal(credentials)

async function credentials(
  app: App,
  by: Caller,
  [verb = 'list', id, ...rest]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { stdout, stderr } = terminal
  const api = app.imports.credentials
  if (verb === 'list') {
    for (const one of await api.list(by)) stdout.write(`${formatCredential(one)}\n`)
    return 0
  }
  if (id === undefined) return printUsage('credentials', stderr)
  const before = (await api.list(by)).find((one) => one.id === id)
  if (verb === 'remove') {
    if (before === undefined)
      stdout.write(
        `There is no credential "${visibleText(id)}". List them with "surehand credentials".\n`,
      )
    else await api.remove(by, id, before.version)
    return before === undefined ? 1 : 0
  }
  if (verb === 'authorize') {
    const { publicUrl } = addressesOf(app.config, app.config.port)
    stdout.write(`${publicUrl}/credentials/${encodeURIComponent(id)}\n`)
    stderr.write('Open this address in a browser while the server runs, and sign in.\n')
    return 0
  }
  if (verb !== 'set') return printUsage('credentials', stderr)
  const form = await readForm(rest, terminal)
  if (form === undefined) return printUsage('credentials', stderr)
  stdout.write(`${formatCredential(await api.put(by, id, form, before?.version))}\n`)
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
} as const

// The secret is the first line of standard input: every user of the machine can read arguments.
async function readForm(args: readonly string[], terminal: Terminal): Promise<object | undefined> {
  const { values } = parseArgs({ args: [...args], options: FLAGS })
  const { kind, origin: origins, scope: scopes } = values
  if (kind === undefined || origins === undefined) return undefined
  const secret = await firstLine(terminal)
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

async function firstLine({ stdin, stderr }: Terminal): Promise<string> {
  stderr.write('Enter the secret, followed by Enter:\n')
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0]?.trim() ?? ''
}

function formatCredential({ id, state, record, problem, consents }: ListedCredential): string {
  const needs = consents.needed > 0 ? `, ${consents.needed} consents must be given again` : ''
  const facts =
    record === undefined ? state : `${record.kind.padEnd(18)} ${record.origins.join(', ')}`
  const why =
    problem === undefined
      ? []
      : [problem.reason, ...problem.suggestions].map((text) => `\n    ${visibleText(text)}`)
  return `${visibleText(id).padEnd(28)} ${facts}${needs}${why.join('')}`
}
