import { type Caller, ToolError } from '@surehand/core'
import { hashJson, isAdministrator } from '@surehand/core/internal'
import { z } from 'zod'
import { callsOf, compositeFromData } from './composite-from-data.ts'
import { type DryRun, dryRun } from './dry-run.ts'
import type { Program } from './program-form.ts'
import {
  type Accepted,
  bind,
  changedParts,
  createTenantPrograms,
  Examples,
  type ProgramsParts,
  type Proposed,
  type Stored,
  type TenantPrograms,
  type ToolOf,
} from './tenant-programs.ts'

// So that no proposal is taken for a tool of the installation.
const PREFIX = 'made.'
const MOST_PROPOSALS = 50
const MOST_BYTES = 65_536
const MOST_FORMER = 20

/** What is proposed; the program itself is checked by `compositeFromData`. */
export const ProposalForm = z.strictObject({
  program: z.record(z.string(), z.unknown()),
  examples: Examples.default([]),
})

/** A proposed or accepted program, as people see it. */
export type ProgramView = {
  readonly id: string
  /** `withdrawn`: it was accepted, and a part of it has changed since. */
  readonly state: 'proposed' | 'accepted' | 'withdrawn'
  readonly program: unknown
  readonly examples: readonly { readonly name: string; readonly input: unknown }[]
  readonly proposed_by: string
  readonly proposed_at: number
  readonly actor: string
  /** Of the program and the tools that it calls, as they are now: accepting must carry it. */
  readonly digest: string
  readonly parts: readonly {
    readonly tool: string
    readonly effect: string
    readonly state: 'same' | 'changed' | 'missing'
  }[]
  /** What could not be proven, or why it cannot be used. */
  readonly warnings: readonly string[]
  readonly problem?: string
  /** The version in use while a newer one is proposed, and who accepted it. */
  readonly in_use?: { readonly version: string; readonly accepted_by: string }
  readonly former: readonly {
    readonly version: string
    readonly accepted_by: string
    readonly accepted_at: number
  }[]
}

export type ProgramsApi = {
  /** Anyone may propose, agents included; what is proposed cannot be called. */
  readonly propose: (by: Caller, form: unknown) => Promise<ProgramView>
  readonly list: (by: Caller) => Promise<readonly ProgramView[]>
  readonly get: (by: Caller, id: string) => Promise<ProgramView>
  readonly dryRun: (by: Caller, id: string, input: unknown) => Promise<DryRun>
  readonly accept: (by: Caller, id: string, digest: string) => Promise<ProgramView>
  /** Takes away a proposal, or the program in use where there is none. */
  readonly remove: (by: Caller, id: string) => Promise<void>
}

/** Composite tools that agents propose as data, and people accept. */
export function createPrograms(
  parts: ProgramsParts,
): Pick<TenantPrograms, 'load' | 'of'> & { readonly api: ProgramsApi } {
  const programs = createTenantPrograms(parts)
  return {
    load: programs.load,
    of: programs.of,
    api: {
      propose: (by, form) => propose(by, form, programs, parts),
      async list(by) {
        requirePerson(by)
        const all = await programs.list(by.tenant)
        return all.map(([id, stored]) => toView(id, stored, by, programs))
      },
      async get(by, id) {
        const { stored } = await requireStored(by, id, programs)
        if (currentOf(id, stored).by !== by.principal) requirePerson(by)
        return toView(id, stored, by, programs)
      },
      async dryRun(by, id, input) {
        requirePerson(by)
        const { stored } = await requireStored(by, id, programs)
        const { program } = currentOf(id, stored)
        const { tool } = compositeFromData(program, bind(programs.toolOf(by.tenant), parts))
        return dryRun({ tool, input, caller: by, call: parts.call })
      },
      accept: (by, id, digest) => accept(by, { id, digest }, programs, parts),
      async remove(by, id) {
        requirePerson(by)
        const { stored, version } = await requireStored(by, id, programs)
        const { proposed, ...rest } = stored
        const value = proposed === undefined || rest.accepted === undefined ? undefined : rest
        await parts.administration().change(by, { kind: 'program', id, value, expected: version })
      },
    },
  }
}

async function propose(
  by: Caller,
  form: unknown,
  programs: TenantPrograms,
  parts: ProgramsParts,
): Promise<ProgramView> {
  const { program, examples } = parseProposal(form)
  const id = checkProposal(program, programs.toolOf(by.tenant), parts)
  const found = await programs.get(by.tenant, id)
  refuseSameVersion(program, found?.stored)
  if (found === undefined && (await programs.list(by.tenant)).length >= MOST_PROPOSALS)
    throw tooMany()
  const at = parts.clock.now()
  const proposed = { program, examples, by: by.principal, actor: by.actor, at }
  const stored = { former: [], ...found?.stored, proposed }
  await parts.administration().change(onBehalfOf(by), {
    kind: 'program',
    id,
    value: stored,
    ...(found === undefined ? {} : { expected: found.version }),
  })
  return toView(id, stored, by, programs)
}

async function accept(
  by: Caller,
  { id, digest }: { readonly id: string; readonly digest: string },
  programs: TenantPrograms,
  parts: ProgramsParts,
): Promise<ProgramView> {
  requirePerson(by)
  const { stored, version } = await requireStored(by, id, programs)
  const view = toView(id, stored, by, programs)
  if (view.digest !== digest || view.problem !== undefined) throw changedSince(id, view)
  const current = currentOf(id, stored)
  const accepted: Accepted = {
    ...current,
    parts: programs.examine(by.tenant, current.program as Program).hashes,
    acceptedBy: by.principal,
    acceptedAt: parts.clock.now(),
  }
  const former = [...(stored.accepted === undefined ? [] : [stored.accepted]), ...stored.former]
  const next = { accepted, former: former.slice(0, MOST_FORMER) }
  const change = { kind: 'program', id, value: next, expected: version } as const
  await parts.administration().change(by, change)
  return toView(id, next, by, programs)
}

async function requireStored({ tenant }: Caller, id: string, programs: TenantPrograms) {
  const found = await programs.get(tenant, id)
  if (found === undefined) throw notFound(id)
  return found
}

/** What people look at: the proposal, or what is in use where there is none. */
function currentOf(id: string, { proposed, accepted }: Stored): Proposed {
  const current = proposed ?? accepted
  if (current === undefined) throw notFound(id)
  return current
}

function parseProposal(form: unknown): z.output<typeof ProposalForm> {
  const parsed = ProposalForm.safeParse(form)
  if (parsed.success && JSON.stringify(form).length <= MOST_BYTES) return parsed.data
  const errors = parsed.success
    ? [{ field: '', error: `is longer than ${MOST_BYTES} characters`, provided_value: null }]
    : parsed.error.issues.map(({ path, message }) => ({
        field: path.join('.'),
        error: message,
        provided_value: null,
      }))
  throw new ToolError('TOOL_INVALID_INPUT', 'This is not a proposal of a program.', {
    details: { validation_errors: errors },
  })
}

/** Throws what is wrong with it; returns its id. */
function checkProposal(program: unknown, toolOf: ToolOf, parts: ProgramsParts): string {
  const { tool } = compositeFromData(program, bind(toolOf, parts))
  if (!tool.id.startsWith(PREFIX))
    throw new ToolError(
      'TOOL_INVALID_INPUT',
      `The id of a proposed program begins with "${PREFIX}": call it ${PREFIX}${tool.id.replace(/^.*\./, '')}.`,
      {
        details: {
          validation_errors: [
            { field: 'program.id', error: `must begin with "${PREFIX}"`, provided_value: tool.id },
          ],
        },
      },
    )
  return tool.id
}

function refuseSameVersion(program: unknown, stored: Stored | undefined): void {
  const { version } = program as Program
  const used = [stored?.accepted, ...(stored?.former ?? [])].find(
    (one) => (one?.program as Program | undefined)?.version === version,
  )
  if (used === undefined || hashJson(used.program) === hashJson(program)) return
  throw new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    `Version ${version} was accepted with other steps. Propose the change as a new version.`,
  )
}

/** The change is the server's, made for the proposer: an agent administers nothing. */
function onBehalfOf({ tenant, principal }: Caller): Caller {
  return { tenant, principal, actor: 'system', roles: ['admin'], capabilities: [] }
}

function requirePerson(by: Caller): void {
  if (isAdministrator(by)) return
  throw new ToolError(
    'TOOL_ROLE_NOT_AUTHORIZED',
    'Only administrators may look at proposed programs and accept them.',
  )
}

function toView(
  id: string,
  stored: Stored,
  { tenant }: Caller,
  programs: TenantPrograms,
): ProgramView {
  const { accepted, proposed, former } = stored
  const current = proposed ?? accepted
  if (current === undefined) throw notFound(id)
  const program = current.program as Program
  const { warnings, problem, hashes } = programs.examine(tenant, program)
  const toolOf = programs.toolOf(tenant)
  const before = accepted?.parts ?? {}
  const changed = proposed === undefined ? changedParts(program, before, hashes) : []
  return {
    id,
    state: proposed !== undefined ? 'proposed' : changed.length > 0 ? 'withdrawn' : 'accepted',
    program,
    examples: current.examples,
    proposed_by: current.by,
    proposed_at: current.at,
    actor: current.actor,
    digest: hashJson({ program, examples: current.examples, parts: hashes }),
    parts: callsOf(program).map((tool) => ({
      tool,
      effect: toolOf(tool)?.contract.effect ?? '',
      state: hashes[tool] === undefined ? 'missing' : changed.includes(tool) ? 'changed' : 'same',
    })),
    warnings,
    ...(problem === undefined ? {} : { problem }),
    ...(accepted === undefined
      ? {}
      : { in_use: { version: versionOf(accepted), accepted_by: accepted.acceptedBy } }),
    former: former.map((one) => ({
      version: versionOf(one),
      accepted_by: one.acceptedBy,
      accepted_at: one.acceptedAt,
    })),
  }
}

function versionOf({ program }: Accepted): string {
  return String((program as Program).version)
}

function notFound(id: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `No program called "${id}" was proposed.`)
}

function tooMany(): ToolError {
  return new ToolError(
    'TOOL_RATE_LIMIT_EXCEEDED',
    `There are ${MOST_PROPOSALS} programs already. Ask an administrator to remove some.`,
  )
}

function changedSince(id: string, { problem }: ProgramView): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    problem === undefined
      ? `The program "${id}" or a tool that it calls has changed since you looked. Look again, then accept it.`
      : `The program "${id}" cannot be accepted: ${problem}`,
    { details: { source_code: 'stale_digest' } },
  )
}
