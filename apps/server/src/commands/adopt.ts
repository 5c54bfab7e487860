import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CANCELLED, createPrompt, isInteractive, type LocalTarget, UsageError } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { systemClock } from '@surehand/core/ports'
import { adoptServers, allowServers, findAdoption, undoAdoption } from '../adopt/adopt-servers.ts'
import { readClientConfig } from '../adopt/client-config.ts'
import { replaceServers, type SurehandCommand } from '../adopt/edit-client-config.ts'
import { adoptionData, formatAdoption } from '../adopt/format-adoption.ts'
import { knownClients, projectOf } from '../adopt/known-clients.ts'
import { findPackageVersion } from '../adopt/pin-package.ts'
import { type Adopting, prepareAdoption } from '../adopt/prepare-adoption.ts'
import { type App, createApp, resolveLocalCaller } from '../app.ts'
import { type Config, readConfig } from '../config/read-config.ts'
import { openDataFolder } from '../data-folder.ts'
import { reservedNames } from '../imports/open-imports.ts'
import { VERSION } from '../version.ts'
import { isSetUp, type Output, printAnswer, type RunCommand, readOutput } from './with-app.ts'

const FLAGS = {
  only: { type: 'string', multiple: true },
  open: { type: 'string', multiple: true },
  ask: { type: 'string', multiple: true },
  input: { type: 'string', multiple: true },
  unpinned: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  undo: { type: 'boolean' },
} as const
type Values = ReturnType<typeof parseArgs<{ options: typeof FLAGS }>>['values']

const HELP = 'surehand help adopt'
const EXIT_CANCELLED = 130

/** `surehand adopt`: puts the MCP servers of a client behind Surehand, or takes that back. */
export const runAdopt: RunCommand = async (args, terminal, at) => {
  const { words, output } = readOutput(args, terminal)
  const { values, positionals } = parseArgs({
    args: [...words],
    options: FLAGS,
    allowPositionals: true,
  })
  const [wanted, ...others] = positionals
  if (others.length > 0) throw new UsageError('Adopt one file at a time.', HELP)
  if (wanted === undefined) return listClients(output)
  const file = findFile(wanted)
  const place = await findPlace(at)
  return values.undo === true ? undo(file, place, output) : adopt(file, values, { place, output })
}

type Place = { readonly at: LocalTarget; readonly config: Config }

/** The data folder that is named or set up here, or else one of the user. */
async function findPlace(at: LocalTarget): Promise<Place> {
  const here = await openConfig(at)
  if (at.data !== undefined || isSetUp(here)) return { at, config: here }
  const own = { ...at, data: join(homedir(), '.surehand') }
  return { at: own, config: await openConfig(own) }
}

function openConfig(at: LocalTarget): Promise<Config> {
  return readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    overrides: { data: at.data },
  })
}

function machine() {
  return { platform: process.platform, home: homedir(), environment: process.env }
}

function listClients(output: Output): number {
  const found = [...knownClients(machine())].flatMap(([client, file]) => {
    if (!existsSync(file)) return []
    return [{ client, file, servers: countServers(file) }]
  })
  const text = found.map(
    ({ client, file, servers }) => `${client.padEnd(16)} ${String(servers).padStart(3)}  ${file}\n`,
  )
  printAnswer(output, {
    data: found,
    text: text.join(''),
    note:
      found.length === 0
        ? 'No known client was found. Name its configuration: surehand adopt FILE\n'
        : 'See what would be done with: surehand adopt CLIENT --dry-run\n',
  })
  return 0
}

function countServers(file: string): number {
  try {
    return readClientConfig(readFileSync(file, 'utf8'), file).servers.length
  } catch {
    // It is listed all the same; adopting it says what is wrong.
    return 0
  }
}

function findFile(wanted: string): string {
  const file = resolve(knownClients(machine()).get(wanted) ?? wanted)
  if (existsSync(file)) return file
  throw new UsageError(
    `There is no file ${file}. Name a client's configuration, or one of ${[...knownClients(machine()).keys()].join(', ')}.`,
    HELP,
  )
}

type AdoptParts = { readonly place: Place; readonly output: Output }

async function adopt(file: string, values: Values, { place, output }: AdoptParts): Promise<number> {
  const isAgreed = values.yes === true || values['dry-run'] === true
  if (!isAgreed && !isInteractive(output))
    throw new UsageError(
      'Nothing was written: no person is here to agree. Look at the result with --dry-run, then run it again with --yes.',
      HELP,
    )
  output.stderr.write(`Starting the servers of ${file} to see their tools …\n`)
  const adopting = await prepare(file, values, place)
  const data = adoptionData(adopting)
  if (values['dry-run'] === true || adopting.servers.length === 0) {
    printAnswer(output, {
      data,
      text: formatAdoption(adopting),
      note: 'Nothing was written.\n',
    })
    return adopting.servers.length === 0 && values['dry-run'] !== true ? 1 : 0
  }
  if (output.format === 'words') output.stdout.write(`${formatAdoption(adopting)}\n`)
  const agreed = values.yes === true || (await confirm(adopting, output))
  if (!agreed) {
    output.stderr.write('Nothing was written.\n')
    return EXIT_CANCELLED
  }
  const tenant = place.at.tenant ?? place.config.home
  openDataFolder(place.config.data)
  allowServers(place.config.data, tenant, adopting)
  const result = await withApp(place, (app, by) =>
    adoptServers(app, by, adopting, (names) =>
      replaceServers(adopting.before, adopting.config, { names, surehand: adopting.surehand }),
    ),
  )
  const failed = result.failed.map(({ name, reason }) => `${name} was not adopted: ${reason}\n`)
  printAnswer(output, {
    data: { ...data, adopted: result.adopted.map(({ plan }) => plan.name), backup: result.backup },
    text: [...failed, ...describeResult(result.adopted.length, result.backup, place)].join(''),
  })
  return result.failed.length === 0 ? 0 : 1
}

function describeResult(
  count: number,
  backup: string | undefined,
  { config }: Place,
): readonly string[] {
  if (backup === undefined) return ['No server was adopted, and the file is as it was.\n']
  const data = `--data ${config.data}`
  return [
    `${count === 1 ? '1 server is' : `${count} servers are`} behind Surehand now. Restart the client.\n`,
    `Backup: ${backup}\n`,
    `Approve what its agents ask for: surehand approvals ${data}, or on the pages of: surehand serve ${data}\n`,
    `See what they did: surehand audit ${data}\n`,
  ]
}

async function confirm({ servers }: Adopting, output: Output): Promise<boolean> {
  const what = servers.length === 1 ? 'this server' : `these ${servers.length} servers`
  const answer = await createPrompt(output).confirm(`Put ${what} behind Surehand?`)
  return answer !== CANCELLED && answer === 'yes'
}

async function prepare(file: string, values: Values, place: Place): Promise<Adopting> {
  const { config, at } = place
  const reserved = reservedNames(config)
  const taken = existsSync(config.data)
    ? await withApp(place, async (app, by) => app.imports.imports.list(by))
    : []
  const mounts = new Set([...taken.map(({ name }) => name), ...Object.keys(config.mcpServers)])
  const home = homedir()
  return prepareAdoption(
    file,
    {
      ...(values.only === undefined ? {} : { only: values.only }),
      open: values.open ?? [],
      ask: values.ask ?? [],
      pins: values.unpinned === true ? 'as written' : 'exact',
    },
    {
      scope: {
        environment: process.env,
        home,
        project: projectOf(file, home),
        inputs: readInputs(values.input ?? []),
      },
      tenant: at.tenant ?? config.home,
      clock: systemClock(),
      findVersion: findPackageVersion,
      isTaken: (mount) => mounts.has(mount) || reserved.has(mount),
      surehand: surehandCommand(place),
    },
  )
}

// Values on a command line can be read by every user of the machine.
function readInputs(pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const [id = '', variable = ''] = pair.split('=')
      const value = process.env[variable]
      if (id === '' || value === undefined)
        throw new UsageError(
          `--input takes ID=VARIABLE, the name of an environment variable that is set; this is "${pair}".`,
          HELP,
        )
      return [id, value]
    }),
  )
}

/** How a client starts Surehand: by paths, because clients of a desktop have a short PATH. */
function surehandCommand({ at, config }: Place): SurehandCommand {
  const [, script = ''] = process.argv
  const isTemporary = /[\\/]_npx[\\/]/.test(script)
  return {
    command: isTemporary ? 'npx' : process.execPath,
    args: [
      ...(isTemporary ? ['-y', `surehand@${VERSION}`] : [script]),
      ...['mcp', '--data', config.data],
      ...(config.file === undefined ? [] : ['--config', config.file]),
      ...(at.tenant === undefined ? [] : ['--tenant', at.tenant]),
      ...(at.principal === undefined ? [] : ['--as', at.principal]),
    ],
  }
}

async function withApp<T>({ at }: Place, work: (app: App, by: Caller) => Promise<T>): Promise<T> {
  // Read again: the commands that were just allowed are part of it.
  const app = await createApp(await openConfig(at), { writer: 'calling-thread' })
  try {
    return await work(app, await resolveLocalCaller(app, at))
  } finally {
    await app.close()
  }
}

async function undo(file: string, place: Place, output: Output): Promise<number> {
  const { data } = place.config
  const adoption = findAdoption(data, file)
  if (adoption === undefined)
    throw new UsageError(
      `Nothing of ${file} was adopted with the data folder ${data}. Name the folder with --data.`,
      HELP,
    )
  const at = { ...place.at, tenant: adoption.tenant }
  const undone = await withApp({ ...place, at }, (app, by) => undoAdoption(app, by, adoption))
  const how = {
    restored: 'has its own servers again, byte for byte',
    edited: 'was changed since; its own servers were put back and the changes kept',
    'as it was': 'already had its own servers',
  }[undone.file]
  printAnswer(output, {
    data: undone,
    text: `${file} ${how}: ${undone.servers.join(', ')}.\nTheir mounts and credentials were removed from Surehand. Restart the client.\n`,
  })
  return 0
}
