import { createHash } from 'node:crypto'
import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { UsageError } from '@surehand/cli'
import { type Caller, isToolError } from '@surehand/core'
import type { App } from '../app.ts'
import {
  type Adopted,
  type Adoption,
  readAdopted,
  writeAdopted,
} from '../config/adopted-servers.ts'
import { parseClientFile, readClientConfig, SUREHAND_ENTRY } from './client-config.ts'
import { restoreServers } from './edit-client-config.ts'
import type { LeftServer, ServerPlan } from './plan-server.ts'
import type { Adopting, InspectedServer } from './prepare-adoption.ts'

/** Stores the commands of the servers, so that the app that is opened next may start them. */
export function allowServers(data: string, tenant: string, { servers }: Adopting): void {
  const known = readAdopted(data)
  const commands = servers.flatMap(({ plan }) => commandOf(plan, tenant))
  const hosts = servers.flatMap(({ plan }) => hostOf(plan, tenant) ?? [])
  writeAdopted(data, {
    ...known,
    servers: { ...known.servers, ...Object.fromEntries(commands) },
    privateHosts: [...new Set([...known.privateHosts, ...hosts])],
  })
}

function commandOf(plan: ServerPlan, tenant: string) {
  if (plan.kind === 'http') return []
  const { kind: _, ...address } = plan.address
  const vault = Object.keys(plan.secrets)
  const entry = { ...address, ...(vault.length === 0 ? {} : { vault }), tenants: [tenant] }
  // A copy without read-only types: texts, and lists and records of texts.
  return [[plan.mount, JSON.parse(JSON.stringify(entry)) as Adopted['servers'][string]] as const]
}

function hostOf(plan: ServerPlan, tenant: string): string | undefined {
  return plan.kind === 'http' && plan.privateHost !== undefined
    ? `${tenant}=${plan.privateHost}`
    : undefined
}

export type AdoptionResult = {
  readonly adopted: readonly InspectedServer[]
  readonly failed: readonly LeftServer[]
  readonly backup: string | undefined
}

/**
 * Mounts the servers with their secrets in the vault, and only then writes the client's file. What
 * fails stays in the client's file as it was.
 */
export async function adoptServers(
  app: App,
  by: Caller,
  adopting: Adopting,
  rewrite: (names: readonly string[]) => string,
): Promise<AdoptionResult> {
  const adopted: InspectedServer[] = []
  const failed: LeftServer[] = []
  for (const server of adopting.servers) {
    const problem = await mountServer(app, by, server)
    if (problem === undefined) adopted.push(server)
    else failed.push({ name: server.plan.name, reason: problem })
  }
  const { data } = app.config
  const lost = new Set(failed.map(({ name }) => name))
  const unused = adopting.servers.filter(({ plan }) => lost.has(plan.name))
  forgetServers(
    data,
    by.tenant,
    unused.map(({ plan }) => plan),
  )
  if (adopted.length === 0) return { adopted, failed, backup: undefined }
  const file = realpathSync(adopting.file)
  const backup = writeBackup(file, adopting.before)
  const text = rewrite(adopted.map(({ plan }) => plan.name))
  const known = readAdopted(data)
  // Recorded before the file is written: whatever happens between the two can be undone.
  writeAdopted(data, {
    ...known,
    adoptions: [
      ...known.adoptions,
      {
        file,
        backup,
        written: sha256(text),
        tenant: by.tenant,
        servers: adopted.map(({ plan }) => ({
          name: plan.name,
          mount: plan.mount,
          credentials: plan.credentials.map(({ id }) => id),
          ...(plan.kind === 'http' && plan.privateHost !== undefined
            ? { privateHost: plan.privateHost }
            : {}),
        })),
      },
    ],
  })
  replaceFile(file, text)
  return { adopted, failed, backup }
}

async function mountServer(
  app: App,
  by: Caller,
  { plan, listing, overlay }: InspectedServer,
): Promise<string | undefined> {
  const { imports, credentials } = app.imports
  try {
    const known = new Map((await credentials.list(by)).map(({ id, version }) => [id, version]))
    for (const { id, form } of plan.credentials) await credentials.put(by, id, form, known.get(id))
    await imports.add(
      by,
      plan.mount,
      {
        kind: 'mcp',
        from: plan.kind === 'stdio' ? { server: plan.mount } : { url: plan.url },
        settings: { ...plan.settings, overlay },
        // What a person has seen is what is accepted.
        document: JSON.stringify(listing),
      },
      new AbortController().signal,
    )
    return undefined
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    await removeCredentials(
      app,
      by,
      plan.credentials.map(({ id }) => id),
    )
    return thrown.message
  }
}

async function removeCredentials(app: App, by: Caller, ids: readonly string[]): Promise<void> {
  const { credentials } = app.imports
  for (const { id, version } of await credentials.list(by))
    if (ids.includes(id)) await credentials.remove(by, id, version)
}

function forgetServers(
  data: string,
  tenant: string,
  servers: readonly { readonly mount: string; readonly privateHost?: string | undefined }[],
): void {
  if (servers.length === 0) return
  const known = readAdopted(data)
  const mounts = new Set(servers.map(({ mount }) => mount))
  const kept = known.adoptions.flatMap((one) =>
    one.servers.filter(({ mount }) => !mounts.has(mount)).map(({ privateHost }) => privateHost),
  )
  const hosts = servers.flatMap(({ privateHost }) =>
    privateHost === undefined || kept.includes(privateHost) ? [] : [`${tenant}=${privateHost}`],
  )
  writeAdopted(data, {
    ...known,
    servers: Object.fromEntries(
      Object.entries(known.servers).filter(([mount]) => !mounts.has(mount)),
    ),
    privateHosts: known.privateHosts.filter((host) => !hosts.includes(host)),
  })
}

export type UndoneAdoption = {
  readonly servers: readonly string[]
  /** `edited`: the file had changed since, and only its servers were put back. */
  readonly file: 'restored' | 'edited' | 'as it was'
}

/** The last adoption of a client's file. */
export function findAdoption(data: string, file: string): Adoption | undefined {
  const path = existsSync(file) ? realpathSync(file) : file
  return readAdopted(data).adoptions.findLast((one) => one.file === path)
}

/** Gives the client its own servers back, and removes their mounts, commands and credentials. */
export async function undoAdoption(
  app: App,
  by: Caller,
  adoption: Adoption,
): Promise<UndoneAdoption> {
  const { data } = app.config
  const how = restoreFile(adoption)
  for (const { mount, credentials } of adoption.servers) {
    await app.imports.imports.remove(by, mount).catch(ignoreMissing)
    await removeCredentials(app, by, credentials)
  }
  const known = readAdopted(data)
  writeAdopted(data, {
    ...known,
    adoptions: known.adoptions.filter((one) => one.backup !== adoption.backup),
  })
  forgetServers(data, by.tenant, adoption.servers)
  // It holds the secrets that are in the client's file again.
  rmSync(adoption.backup, { force: true })
  return { servers: adoption.servers.map(({ name }) => name), file: how }
}

function restoreFile({ file, backup, written, servers }: Adoption): UndoneAdoption['file'] {
  if (!existsSync(backup))
    throw new UsageError(
      `The backup ${backup} is gone, so ${file} cannot be restored. Nothing was changed.`,
      'surehand help adopt',
    )
  const before = readFileSync(backup, 'utf8')
  const now = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (now === before) return 'as it was'
  if (now === undefined || sha256(now) === written) {
    replaceFile(file, before)
    return 'restored'
  }
  const place = readClientConfig(before, file)
  const listed = readEntries(before, place)
  const names = servers.map(({ name }) => name)
  replaceFile(
    file,
    restoreServers(now, before, place, { names, keeps: listed.includes(SUREHAND_ENTRY) }),
  )
  return 'edited'
}

function readEntries(
  text: string,
  { format, path }: Pick<ReturnType<typeof readClientConfig>, 'format' | 'path'>,
): readonly string[] {
  let at: unknown = parseClientFile(text, format, 'The backup')
  for (const key of path) at = (at as Readonly<Record<string, unknown>> | undefined)?.[key]
  return Object.keys(at ?? {})
}

function ignoreMissing(thrown: unknown): void {
  if (!isToolError(thrown) || thrown.code !== 'TOOL_RESOURCE_NOT_FOUND') throw thrown
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function writeBackup(file: string, text: string): string {
  for (let number = 1; ; number++) {
    const backup = `${file}.before-surehand${number === 1 ? '' : `-${number}`}`
    if (existsSync(backup)) continue
    writeFileSync(backup, text, { mode: 0o600, flag: 'wx' })
    return backup
  }
}

// A client that reads the file at this moment finds the old one or the new one, whole.
function replaceFile(file: string, text: string): void {
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600
  writeFileSync(`${file}.surehand-new`, text, { mode })
  renameSync(`${file}.surehand-new`, file)
}
