import { resolve } from 'node:path'
import { type Line, one, readLine, wordsNamed } from '../arguments.ts'
import { CANCELLED } from '../cancelled.ts'
import type { CommandContext } from '../command.ts'
import { EXIT_INTERRUPTED } from '../exit-code.ts'
import { printJson, printLines } from '../print.ts'
import { type Profile, profilesFile, readProfiles, writeProfiles } from '../profiles.ts'
import { promptOn } from '../prompt.ts'
import { readSecret } from '../read-input.ts'
import { safeLine } from '../safe-text.ts'
import { formatTable } from '../table.ts'
import { parseServerUrl } from '../target.ts'
import { isInteractive, screenWidth, type Terminal } from '../terminal.ts'
import { unknownAction } from '../unknown-action.ts'
import { UsageError } from '../usage-error.ts'

const HELP_COMMAND = 'surehand help profile'
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
// printable ASCII, as the header takes it
const TOKEN = /^[\x21-\x7e]{1,4096}$/

export async function profile(context: CommandContext): Promise<number> {
  const line = readLine(context.line, context.command.flags, HELP_COMMAND)
  const [action = 'list', ...words] = line.words
  if (action === 'list') {
    wordsNamed(words, [], HELP_COMMAND)
    return list(context)
  }
  if (action !== 'add' && action !== 'use' && action !== 'remove')
    throw unknownAction('profile', action, ['list', 'add', 'use', 'remove'])
  const [name = ''] = wordsNamed(words, ['NAME'], HELP_COMMAND)
  if (action === 'add') return add(name, line, context)
  return action === 'use' ? use(name, context) : remove(name, context)
}

function list({ options, terminal, format }: CommandContext): number {
  const { current, byName } = readProfiles(options.env)
  // a token stays in its file, whoever asks
  const rows = [...byName].map(([name, one]) => ({
    name,
    in_use: name === current,
    ...describeProfile(one),
  }))
  if (format === 'json') printJson(terminal, rows)
  else if (rows.length === 0)
    printLines(terminal, [
      'No profiles: commands go to the folder of this machine.',
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
      token: profile.token === undefined ? 'from SUREHAND_TOKEN' : 'kept',
    }
  const who = [profile.principal, profile.tenant].filter((part) => part !== undefined).join(' @ ')
  return {
    kind: 'folder',
    where: who === '' ? profile.data : `${profile.data} (as ${who})`,
    token: '',
  }
}

async function add(name: string, { flags }: Line, context: CommandContext): Promise<number> {
  const { options, terminal } = context
  if (!NAME.test(name))
    throw new UsageError(`"${name}" is no name: letters, digits, ".", "_" and "-".`, HELP_COMMAND)
  const made = await createProfile(one(flags, 'url'), context)
  if (made === CANCELLED) return EXIT_INTERRUPTED
  const known = readProfiles(options.env)
  const current = known.current ?? name
  writeProfiles(options.env, { current, byName: new Map([...known.byName, [name, made]]) })
  terminal.stderr.write(
    `Kept in ${safeLine(profilesFile(options.env))}.${current === name ? ` ${name} is in use.` : ` Use it: surehand profile use ${name}`}\n`,
  )
  return 0
}

async function createProfile(
  url: string | undefined,
  { given, terminal }: CommandContext,
): Promise<Profile | typeof CANCELLED> {
  const { data, principal, tenant } = given
  if ((url === undefined) === (data === undefined))
    throw new UsageError('Say one of --url URL and --data DIR.', HELP_COMMAND)
  if (data !== undefined) return { kind: 'local', data: resolve(data), principal, tenant }
  if (principal !== undefined || tenant !== undefined)
    throw new UsageError('A server knows by the token who is calling.', HELP_COMMAND)
  const address = parseServerUrl(url ?? '')
  const token = await readToken(terminal)
  if (token === CANCELLED) return CANCELLED
  if (token !== '' && !TOKEN.test(token))
    throw new UsageError(
      'This is no token: it holds spaces or characters that no token has.',
      HELP_COMMAND,
    )
  return { kind: 'remote', url: address, token: token === '' ? undefined : token }
}

function readToken(terminal: Terminal): Promise<string | typeof CANCELLED> {
  if (!isInteractive(terminal)) return readSecret(terminal.stdin)
  return promptOn(terminal).askHidden('Token (empty: from SUREHAND_TOKEN each time):')
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
  terminal.stderr.write(`${safeLine(name)} is forgotten.\n`)
  return 0
}
