import { resolve } from 'node:path'
import {
  type FlagValues,
  flagValue,
  requireKnownFlags,
  requireWords,
  unknownAction,
} from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { EXIT_INTERRUPTED } from '../exit-code.ts'
import { printJson, printLines } from '../print.ts'
import { type Profile, readProfiles, writeProfiles } from '../profiles.ts'
import { CANCELLED, createPrompt } from '../prompt.ts'
import { readSecret } from '../read-input.ts'
import { safeLine } from '../safe-text.ts'
import { formatTable } from '../table.ts'
import { parseServerUrl } from '../target.ts'
import { isInteractive, screenWidth, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const HELP_COMMAND = 'surehand help profile'
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
// Printable ASCII: the token travels in a header.
const TOKEN = /^[\x21-\x7e]{1,4096}$/

export async function profile(context: CommandContext): Promise<number> {
  const { flags } = context.line
  const [action = 'list', ...words] = requireKnownFlags(
    context.line,
    context.command.flags,
    HELP_COMMAND,
  )
  if (action === 'list') {
    requireWords(words, [], HELP_COMMAND)
    return list(context)
  }
  if (action !== 'add' && action !== 'use' && action !== 'remove')
    throw unknownAction('profile', action, ['list', 'add', 'use', 'remove'])
  const [name = ''] = requireWords(words, ['NAME'], HELP_COMMAND)
  if (action === 'add') return add(name, flags, context)
  return action === 'use' ? use(name, context) : remove(name, context)
}

function list({ options, terminal, format }: CommandContext): number {
  const { current, byName } = readProfiles(options.env)
  // Tokens are never printed.
  const rows = [...byName].map(([name, one]) => ({
    name,
    in_use: name === current,
    ...describeProfile(one),
  }))
  if (format === 'json') printJson(terminal, rows)
  else if (rows.length === 0)
    printLines(terminal, [
      'No profiles. Commands use the data folder of this machine.',
      'Try: surehand help profile',
    ])
  else {
    const cells = rows.map(({ name, in_use, kind, where, token }) => [
      in_use ? `* ${name}` : `  ${name}`,
      kind,
      where,
      token,
    ])
    printLines(terminal, [
      formatTable(['  NAME', 'KIND', 'WHERE', 'TOKEN'], cells, screenWidth(terminal.stdout)),
    ])
  }
  return 0
}

function describeProfile(profile: Profile): {
  readonly kind: string
  readonly where: string
  readonly token: string
} {
  if (profile.kind === 'remote')
    return {
      kind: 'server',
      where: profile.url,
      token: profile.token === undefined ? 'from SUREHAND_TOKEN' : 'stored',
    }
  const who = [profile.principal, profile.tenant].filter((part) => part !== undefined).join(' @ ')
  return {
    kind: 'folder',
    where: who === '' ? profile.data : `${profile.data} (as ${who})`,
    token: '',
  }
}

async function add(name: string, flags: FlagValues, context: CommandContext): Promise<number> {
  const { options, terminal } = context
  if (!NAME.test(name))
    throw new UsageError(
      `"${name}" is not a valid name. Use letters, digits, ".", "_" and "-".`,
      HELP_COMMAND,
    )
  const made = await createProfile(flagValue(flags, 'url'), context)
  if (made === CANCELLED) return EXIT_INTERRUPTED
  const known = readProfiles(options.env)
  const current = known.current ?? name
  const byName = new Map([...known.byName, [name, made]])
  const file = writeProfiles(options.env, { current, byName })
  terminal.stderr.write(
    `Saved to ${safeLine(file)}.${current === name ? ` ${name} is in use.` : ` Use it: surehand profile use ${name}`}\n`,
  )
  return 0
}

async function createProfile(
  url: string | undefined,
  { localTarget, terminal }: CommandContext,
): Promise<Profile | typeof CANCELLED> {
  const { data, principal, tenant } = localTarget
  if ((url === undefined) === (data === undefined))
    throw new UsageError('Give either --url URL or --data DIR.', HELP_COMMAND)
  if (data !== undefined) return { kind: 'local', data: resolve(data), principal, tenant }
  if (principal !== undefined || tenant !== undefined)
    throw new UsageError(
      '--as and --tenant are for a local data folder: a server identifies the caller by the token.',
      HELP_COMMAND,
    )
  const address = parseServerUrl(url ?? '')
  const token = await readToken(terminal)
  if (token === CANCELLED) return CANCELLED
  if (token !== '' && !TOKEN.test(token))
    throw new UsageError(
      'This is not a token: it contains spaces or characters that tokens do not have.',
      HELP_COMMAND,
    )
  return { kind: 'remote', url: address, token: token === '' ? undefined : token }
}

function readToken(terminal: Terminal): Promise<string | typeof CANCELLED> {
  if (!isInteractive(terminal)) return readSecret(terminal.stdin)
  return createPrompt(terminal).text('Token (leave empty to use SUREHAND_TOKEN)', {
    echo: 'hidden',
  })
}

function use(name: string, { options, terminal }: CommandContext): number {
  const known = readProfiles(options.env)
  if (!known.byName.has(name))
    throw new UsageError(`There is no profile "${name}".`, 'surehand profile list')
  writeProfiles(options.env, { current: name, byName: known.byName })
  terminal.stderr.write(`${safeLine(name)} is in use.\n`)
  return 0
}

function remove(name: string, { options, terminal }: CommandContext): number {
  const known = readProfiles(options.env)
  if (!known.byName.has(name))
    throw new UsageError(`There is no profile "${name}".`, 'surehand profile list')
  const byName = new Map([...known.byName].filter(([other]) => other !== name))
  writeProfiles(options.env, {
    current: known.current === name ? undefined : known.current,
    byName,
  })
  terminal.stderr.write(`${safeLine(name)} was removed.\n`)
  return 0
}
