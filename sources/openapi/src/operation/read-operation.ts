import { ToolError } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { clip } from '../document/clip-text.ts'
import { LeftOut } from '../document/left-out.ts'
import { TEXT_LENGTHS } from '../document/limits.ts'
import { type Fields, own, ownText } from '../document/record.ts'
import type { Assembled } from '../schema/assemble.ts'
import type { FindPhrases } from '../phrases/find-phrases.ts'
import type { Library } from '../schema/library.ts'
import { argumentNames } from './argument-names.ts'
import { readBody } from './body.ts'
import { isRead, type SharedContracts, type SidecarEntry, sharedContract } from './contract-plan.ts'
import { LazyOperation, type Words } from './lazy-operation.ts'
import { type Listed, operationIdOf } from './list-operations.ts'
import type { Operation, ServerPlan } from './operation.ts'
import { hasLinks } from './output.ts'
import {
  CARRIES_CREDENTIAL,
  type Parameter,
  type Parameters,
  type PlannedParameter,
  readParameters,
} from './parameters.ts'
import { type PlannedOperation, planOperation } from './plan-operation.ts'
import { readRequestPath } from './request-path.ts'
import { needsCredential, readSecurity, type Security, withSlots } from './security.ts'
import { chooseServer } from './servers.ts'

export type OperationRules = {
  readonly namespace: string
  readonly root: Fields
  readonly library: Library
  /** How people ask for an operation, where that is known. */
  readonly findPhrases: FindPhrases
  readonly keys: ReadonlyMap<string, string>
  /** The server of the document itself. */
  readonly main: ServerPlan
  readonly address: string | undefined
  readonly origins: readonly string[]
  readonly inputBudget: number
  readonly outputBudget: number
  readonly whereUnsaid: Security
  readonly securities: Map<unknown, Security>
  readonly contracts: SharedContracts
  readonly known: Map<Fields, PlannedParameter>
  readonly bodies: Map<string, Assembled>
  readonly outputs: Map<string, Assembled>
}

export type OperationToRead = {
  readonly listed: Listed
  readonly name: string
  readonly sidecar: SidecarEntry
  readonly hints: unknown
}

/** An operation with its name and contract, and what the report says about it. */
export type ReadOperation = {
  readonly listed: Listed
  readonly operation: Operation
  readonly dropped: Parameters['dropped']
  readonly paging: () => readonly string[]
  /** Reads its schemas on first use; a LeftOut says why they cannot be used. */
  readonly planned: () => PlannedOperation | LeftOut
}

/** Reads everything of an operation except its schemas. */
export function readOperation(
  { listed, name, sidecar, hints }: OperationToRead,
  rules: OperationRules,
): ReadOperation {
  const { operation, method } = listed
  const use = { isWrite: !isRead(method) }
  const { kept, dropped, idempotencyHeader, slots } = readParameters(listed, rules, use)
  const body = use.isWrite ? readBody(operation, rules.library) : undefined
  const fields = body?.slots ?? []
  const security = withSlots(securityFor(operation, rules), [...slots, ...fields])
  const server = chooseServer(operation, listed.item, rules)
  const header = idempotencyHeader ?? sidecar.idempotencyHeader
  const toolId = `${rules.namespace}.${name}`
  const paging = (): readonly string[] => (use.isWrite ? [] : pagingArguments(kept))
  const sighted = {
    operation,
    method,
    ...readRequestPath(listed.path, kept),
    server,
    kept,
    body,
    security,
    idempotencyHeader: header ?? null,
  }
  const planned = planOnce(() => planOperation(sighted, rules))
  const known = {
    toolId,
    key: listed.key,
    operationId: operationIdOf(operation) ?? null,
    isDeprecated: own(operation, 'deprecated') === true,
    contract: sharedContract(
      {
        namespace: rules.namespace,
        method,
        needsCredential: needsCredential(security),
        hasIdempotencyHeader: header !== undefined,
        sidecar,
        hints,
      },
      rules.contracts,
    ),
  }
  const words = (): Words => ({
    title: sidecar.title ?? chooseTitle(listed),
    description:
      sidecar.description ??
      chooseDescription(listed, { paging: paging(), hasLinks: hasLinks(operation, rules.library) }),
    phrases: [...(sidecar.phrases ?? []), ...rules.findPhrases(known.operationId, listed.key)],
  })
  const read = new LazyOperation(known, { words, plan: () => requirePlan(toolId, planned()) })
  const hidden = fields.map(({ name: field }) => ({
    name: `form ${field}`,
    reason: CARRIES_CREDENTIAL,
  }))
  return { listed, operation: read, dropped: [...dropped, ...hidden], paging, planned }
}

// A schema that cannot be read is not read again.
function planOnce(plan: () => PlannedOperation): () => PlannedOperation | LeftOut {
  let known: PlannedOperation | LeftOut | undefined
  return () => {
    known ??= planOrReason(plan)
    return known
  }
}

function planOrReason(plan: () => PlannedOperation): PlannedOperation | LeftOut {
  try {
    return plan()
  } catch (error) {
    if (error instanceof LeftOut) return error
    throw error
  }
}

function requirePlan(toolId: string, planned: PlannedOperation | LeftOut): Operation['plan'] {
  if (!(planned instanceof LeftOut)) return planned.plan
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `${toolId} cannot be called: ${planned.message}.`,
    { effect: 'none', cause: planned },
  )
}

// Most operations share the security requirements of the document or of other operations.
function securityFor(
  operation: Fields,
  { library, whereUnsaid, securities }: OperationRules,
): Security {
  const wanted = own(operation, 'security') ?? own(library.root, 'security')
  const known = securities.get(wanted)
  if (known !== undefined) return known
  const security = readSecurity(wanted, library, whereUnsaid)
  securities.set(wanted, security)
  return security
}

function chooseTitle({ key, operation }: Listed): string {
  const text = ownText(operation, 'summary')?.trim() || operationIdOf(operation) || key
  return clip(text.replaceAll(/\s+/g, ' '), TEXT_LENGTHS.title)
}

function chooseDescription(
  { key, operation }: Listed,
  hints: { readonly paging: readonly string[]; readonly hasLinks: boolean },
): string {
  const summary = ownText(operation, 'summary')?.trim() ?? ''
  const long = ownText(operation, 'description')?.trim() ?? ''
  const said = long.startsWith(summary)
    ? long
    : [summary, long].filter((text) => text !== '').join('\n\n')
  const notes = [
    own(operation, 'deprecated') === true ? 'Deprecated: use another tool if there is one.' : '',
    hints.paging.length > 0 || hints.hasLinks ? pagingNote(hints.paging) : '',
  ].filter((text) => text !== '')
  const room = TEXT_LENGTHS.description - notes.join('\n').length - 2
  // The hash covers the part that is cut off, so that every change of a pinned tool is detected.
  const text =
    said.length <= room ? said : `${clip(said, room - 20)} [${sha256(said).slice(0, 12)}]`
  return [text === '' ? key : text, ...notes].join('\n\n')
}

function pagingNote(paging: readonly string[]): string {
  return `Answers come in pages${paging.length === 0 ? '' : ` (${paging.join(', ')})`}: "next" in an answer holds the arguments of the next page.`
}

const PAGING = new Set([
  'after',
  'before',
  'continue',
  'cursor',
  'ending_before',
  'limit',
  'next_cursor',
  'next_token',
  'nexttoken',
  'offset',
  'page',
  'page_size',
  'page_token',
  'pagesize',
  'pagetoken',
  'per_page',
  'perpage',
  'skip',
  'start',
  'starting_after',
  'top',
])

/** The arguments that control paging. */
function pagingArguments(parameters: readonly Parameter[]): readonly string[] {
  const paging = parameters.filter(
    (one) => one.in === 'query' && PAGING.has(one.name.toLowerCase()),
  )
  if (paging.length === 0) return []
  const names = argumentNames(parameters, false)
  return paging.map((one) => names.get(one) ?? one.name)
}
