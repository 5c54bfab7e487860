import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isToolError } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import type { ForeignListing, ListedTool, Overlay } from '@surehand/mounted-mcp'
import { type ClientConfig, type ClientServer, readClientConfig } from './client-config.ts'
import { replaceServers, type SurehandCommand } from './edit-client-config.ts'
import type { VariableScope } from './expand-variables.ts'
import { inspectServer } from './inspect-server.ts'
import type { FindVersion } from './pin-package.ts'
import { type LeftServer, planServer, type ServerPlan } from './plan-server.ts'
import { overlayFor, type Proposal, proposeContract } from './propose-contract.ts'

/** A server that can be adopted, with the tools that it lists and how they would be treated. */
export type InspectedServer = {
  readonly plan: ServerPlan
  readonly listing: ForeignListing
  readonly proposals: ReadonlyMap<string, Proposal>
  readonly overlay: Overlay
}

/** What adopting a client's file would do. Nothing is written yet. */
export type Adopting = {
  readonly file: string
  /** The text of the file, before and after. */
  readonly before: string
  readonly after: string
  readonly config: ClientConfig
  readonly servers: readonly InspectedServer[]
  readonly left: readonly LeftServer[]
  readonly surehand: SurehandCommand
  readonly tokens: number
}

export type AdoptionWishes = {
  /** Servers to adopt, by their names in the file; default: all. */
  readonly only?: readonly string[]
  /** Tools that a person decided otherwise about: `NAME.tool` or `NAME.*`. */
  readonly open: readonly string[]
  readonly ask: readonly string[]
  readonly pins: 'exact' | 'as written'
}

export type AdoptionContext = {
  readonly scope: VariableScope
  readonly tenant: string
  readonly clock: Clock
  readonly findVersion: FindVersion
  /** Whether an import of this name exists, or may not. */
  readonly isTaken: (mount: string) => boolean
  readonly surehand: SurehandCommand
}

// More than a model should carry in every conversation.
const MANY_TOKENS = 20_000
const BYTES_PER_TOKEN = 4

/** Reads a client's file, starts its servers, and says what would become of them. */
export async function prepareAdoption(
  file: string,
  wishes: AdoptionWishes,
  context: AdoptionContext,
): Promise<Adopting> {
  const before = readFileSync(file, 'utf8')
  const config = readClientConfig(before, file)
  const wanted = config.servers.filter(({ name }) => wishes.only?.includes(name) ?? true)
  const names = mountNames(wanted, context.isTaken)
  const results = await Promise.all(
    wanted.map((server) =>
      inspect(server, names.get(server.name) ?? '', { file, wishes, context }),
    ),
  )
  const servers = results.filter((one) => 'plan' in one)
  const left = [
    ...results.filter((one) => 'reason' in one),
    ...config.servers
      .filter((server) => !wanted.includes(server))
      .map(({ name }) => ({ name, reason: 'it was not asked for' })),
  ]
  const tokens = Math.ceil(
    servers.reduce((sum, { listing }) => sum + JSON.stringify(listing.tools).length, 0) /
      BYTES_PER_TOKEN,
  )
  const { command, args } = context.surehand
  const surehand = { command, args: tokens > MANY_TOKENS ? [...args, '--compact'] : args }
  const after =
    servers.length === 0
      ? before
      : replaceServers(before, config, { names: servers.map(({ plan }) => plan.name), surehand })
  return { file, before, after, config, servers, left, surehand, tokens }
}

type Inspection = {
  readonly file: string
  readonly wishes: AdoptionWishes
  readonly context: AdoptionContext
}

async function inspect(
  server: ClientServer,
  mount: string,
  { file, wishes, context }: Inspection,
): Promise<InspectedServer | LeftServer> {
  const { scope, findVersion, tenant, clock } = context
  const plan = await planServer(server, mount, {
    scope,
    folder: dirname(file),
    findVersion,
    pins: wishes.pins,
  })
  if ('reason' in plan) return plan
  try {
    const { environment } = scope
    const listing = await inspectServer(plan, { tenant, clock, environment })
    return { plan, listing, ...propose(plan, listing.tools, wishes) }
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    return { name: server.name, reason: `it could not be used: ${thrown.message}` }
  }
}

function propose(
  { mount, tools: chosen }: ServerPlan,
  tools: readonly ListedTool[],
  { open, ask }: AdoptionWishes,
): Pick<InspectedServer, 'proposals' | 'overlay'> {
  const isNamed = (list: readonly string[], name: string): boolean =>
    list.includes(`${mount}.${name}`) || list.includes(`${mount}.*`)
  const isUsed = (name: string): boolean =>
    (chosen.only?.includes(name) ?? true) && !chosen.without?.includes(name)
  const proposals = new Map<string, Proposal>()
  const overlay: Record<string, Overlay[string]> = {}
  for (const tool of tools) {
    if (!isUsed(tool.name)) {
      overlay[tool.name] = { leaveOut: true }
      continue
    }
    const seen = proposeContract(tool)
    const unasked = isNamed(ask, tool.name) && seen === 'read' ? 'write' : seen
    const proposal = isNamed(open, tool.name) ? 'read' : unasked
    proposals.set(tool.name, proposal)
    const own = overlayFor(proposal)
    if (own !== undefined) overlay[tool.name] = own
  }
  return { proposals, overlay }
}

const LONGEST_NAME = 24

/** Names of imports, which are stricter than those of clients. */
function mountNames(
  servers: readonly ClientServer[],
  isTaken: (mount: string) => boolean,
): ReadonlyMap<string, string> {
  const given = new Set<string>()
  return new Map(
    servers.map(({ name }) => {
      const plain = name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .replaceAll(/^[_0-9]+|_+$/g, '')
      const base = plain === '' ? 'server' : plain
      for (let number = 1; ; number++) {
        const end = number === 1 ? '' : `_${number}`
        const mount = base.slice(0, LONGEST_NAME - end.length).replace(/_+$/, '') + end
        if (given.has(mount) || isTaken(mount)) continue
        given.add(mount)
        return [name, mount]
      }
    }),
  )
}
