import { ToolError } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { WORDS } from '../document/limits.ts'
import { type Fields, own, ownText } from '../document/record.ts'
import { cut } from '../document/words.ts'
import type { Assembled } from '../schema/assemble.ts'
import type { Library } from '../schema/library.ts'
import { bodyOf } from './body.ts'
import { contractFor, isRead, type SidecarEntry, type UsualContracts } from './contract-plan.ts'
import { LazyOperation, type Words } from './lazy-operation.ts'
import { type Listed, operationIdOf } from './list-operations.ts'
import type { Operation, ServerPlan } from './operation.ts'
import { hasLinks } from './output.ts'
import { pagingArguments } from './paging.ts'
import { type KeptParameter, type Parameter, type Parameters, parametersOf } from './parameters.ts'
import { type Planned, planOperation } from './plan-operation.ts'
import { needsCredential, type Security, securityOf } from './security.ts'
import { serverOf } from './servers.ts'

export type OperationRules = {
  readonly namespace: string
  readonly root: Fields
  readonly library: Library
  readonly keys: ReadonlySet<string>
  /** The document's own server. */
  readonly main: ServerPlan
  readonly address: string | undefined
  readonly origins: readonly string[]
  readonly inputBudget: number
  readonly outputBudget: number
  readonly whereUnsaid: Security
  readonly securities: Map<unknown, Security>
  readonly contracts: UsualContracts
  readonly known: Map<Fields, KeptParameter>
  readonly bodies: Map<string, Assembled>
  readonly outputs: Map<string, Assembled>
}

export type Wanted = {
  readonly listed: Listed
  readonly name: string
  readonly sidecar: SidecarEntry
  readonly hints: unknown
}

/** An operation, named and under contract; and what the importer should know of it. */
export type ReadOperation = {
  readonly listed: Listed
  readonly operation: Operation
  readonly dropped: Parameters['dropped']
  readonly paging: () => readonly string[]
  /** With its schemas, which are read now if nobody has looked before; or why they can be no tool's. */
  readonly planned: () => Planned | LeftOut
}

/** All that can be said of an operation before its schemas are read. */
export function readOperation(
  { listed, name, sidecar, hints }: Wanted,
  rules: OperationRules,
): ReadOperation {
  const { operation, method, path } = listed
  const security = securityFor(operation, rules)
  const use = { needsCredential: needsCredential(security), isWrite: !isRead(method) }
  const { kept, dropped, idempotencyHeader } = parametersOf(listed, rules, use)
  const body = use.isWrite ? bodyOf(operation, rules.library) : undefined
  refuseUnfilled(path, kept)
  const server = serverOf(operation, listed.item, rules)
  const header = idempotencyHeader ?? sidecar.idempotencyHeader
  const toolId = `${rules.namespace}.${name}`
  const paging = (): readonly string[] => (use.isWrite ? [] : pagingArguments(kept))
  const sighted = {
    operation,
    method,
    path,
    server,
    kept,
    body,
    security,
    idempotencyHeader: header ?? null,
  }
  const planned = onceOrReason(() => planOperation(sighted, rules))
  const known = {
    toolId,
    key: listed.key,
    operationId: operationIdOf(operation) ?? null,
    isDeprecated: own(operation, 'deprecated') === true,
    contract: contractFor(
      {
        namespace: rules.namespace,
        method,
        needsCredential: use.needsCredential,
        hasIdempotencyHeader: header !== undefined,
        sidecar,
        hints,
      },
      rules.contracts,
    ),
  }
  const words = (): Words => ({
    title: sidecar.title ?? titleOf(listed),
    description:
      sidecar.description ??
      descriptionOf(listed, { paging: paging(), hasLinks: hasLinks(operation, rules.library) }),
  })
  const read = new LazyOperation(known, { words, plan: () => planOrRefusal(toolId, planned()) })
  return { listed, operation: read, dropped, paging, planned }
}

// a schema that can't be read is not read again by whoever asks next
function onceOrReason(plan: () => Planned): () => Planned | LeftOut {
  let known: Planned | LeftOut | undefined
  return () => {
    known ??= orReason(plan)
    return known
  }
}

function orReason(plan: () => Planned): Planned | LeftOut {
  try {
    return plan()
  } catch (error) {
    if (error instanceof LeftOut) return error
    throw error
  }
}

function planOrRefusal(toolId: string, planned: Planned | LeftOut): Operation['plan'] {
  if (!(planned instanceof LeftOut)) return planned.plan
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `${toolId} can not be called: ${planned.message}.`,
    { effect: 'none', cause: planned },
  )
}

// most operations ask for what the document asks for, or for what their neighbours do
function securityFor(
  operation: Fields,
  { library, whereUnsaid, securities }: OperationRules,
): Security {
  const wanted = own(operation, 'security') ?? own(library.root, 'security')
  const known = securities.get(wanted)
  if (known !== undefined) return known
  const security = securityOf(wanted, library, whereUnsaid)
  securities.set(wanted, security)
  return security
}

// a path with a hole in it would go somewhere else
function refuseUnfilled(path: string, parameters: readonly Parameter[]): void {
  const [before = '', ...holes] = path.split('{')
  let isMatched = !before.includes('}')
  for (const hole of holes) {
    const end = hole.indexOf('}')
    isMatched &&= end > 0 && end === hole.lastIndexOf('}')
    const name = hole.slice(0, Math.max(end, 0))
    if (isMatched && !parameters.some((one) => one.in === 'path' && one.name === name))
      throw new LeftOut(`nothing fills "{${name.slice(0, 60)}}" of its path`)
  }
  if (!isMatched) throw new LeftOut('the braces of its path do not match')
}

function titleOf({ key, operation }: Listed): string {
  const text = ownText(operation, 'summary')?.trim() || operationIdOf(operation) || key
  return cut(text.replaceAll(/\s+/g, ' '), WORDS.title)
}

function descriptionOf(
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
  const room = WORDS.description - notes.join('\n').length - 2
  // what is cut off still tells two versions apart: whoever pinned the tool must hear of every change
  const text = said.length <= room ? said : `${cut(said, room - 20)} [${sha256(said).slice(0, 12)}]`
  return [text === '' ? key : text, ...notes].join('\n\n')
}

function pagingNote(paging: readonly string[]): string {
  return `Answers come in pages${paging.length === 0 ? '' : ` (${paging.join(', ')})`}: "next" in an answer holds the arguments of the next page.`
}
