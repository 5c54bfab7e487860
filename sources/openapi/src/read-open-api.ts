import { isRecord } from '@surehand/core/internal'
import type { SecurityNeed } from '@surehand/vault'
import { type OpenApiDocument, parseDocument, parseText } from './document/document.ts'
import { LeftOut } from './document/left-out.ts'
import { LIMITS } from './document/limits.ts'
import { type Overlaid, overlaid } from './document/overlay.ts'
import { type Fields, own } from './document/record.ts'
import { refused } from './document/refused.ts'
import { type SidecarEntry, sidecarEntry } from './operation/contract-plan.ts'
import { type Listed, listOperations } from './operation/list-operations.ts'
import { nameOperations } from './operation/names.ts'
import type { Operation } from './operation/operation.ts'
import {
  type OperationRules,
  type ReadOperation,
  readOperation,
} from './operation/read-operation.ts'
import { keyParameters } from './operation/security.ts'
import {
  type Allow,
  entryOf,
  isActionOf,
  reasonToLeave,
  type Selection,
} from './operation/select.ts'
import { mainServer } from './operation/servers.ts'
import type { ImportReport } from './report.ts'
import { byTool, leaving, type Reason, reportOf } from './report-of.ts'
import { createLibrary } from './schema/library.ts'

export type OpenApiOptions = {
  /** The namespace of the tools. */
  readonly name: string
  /** Nothing said: what the document marks with `x-agent: { action: true }`, and where it marks nothing, reads. */
  readonly allow?: Allow
  /** What the importer says of operations, by operationId or "METHOD /path". */
  readonly sidecar?: Readonly<Record<string, SidecarEntry>>
  /** An OpenAPI Overlay 1.0, as text or read. */
  readonly overlay?: string | Fields
  /** Where the document came from: servers may be written relative to it. */
  readonly address?: string
  /** Origins besides that of the document's server that single operations may go to. */
  readonly origins?: readonly string[]
  /** What the API needs where its document says nothing of security. */
  readonly security?: readonly (readonly SecurityNeed[])[]
  /** How large the schemas of one tool may be. */
  readonly byteBudget?: { readonly input?: number; readonly output?: number }
  readonly maxOperations?: number
}

/**
 * `operations`: all that can be tools as far as their document says so before its schemas are read, which each operation's are when it
 * is first looked at. `report`: what became of everything, so it reads every schema; what turns out to be no tool is left out there.
 */
export type OpenApiRead = {
  readonly operations: readonly Operation[]
  readonly report: ImportReport
}

const NAMESPACE = /^[a-z][a-z0-9_]{0,23}$/
const BUDGET = { input: 24 * 1024, output: 16 * 1024 } as const

/** Reads an OpenAPI 3.0 or 3.1 document, as JSON or YAML text or as an object: every operation becomes a tool or has its reason. */
export function readOpenApi(source: string | Fields, options: OpenApiOptions): OpenApiRead {
  if (!NAMESPACE.test(options.name))
    throw refused(
      `"${options.name.slice(0, 60)}" can't be a namespace: small letters, digits and "_", at most 24.`,
    )
  const document = parseDocument(source)
  const overlay = typeof options.overlay === 'string' ? parseText(options.overlay) : options.overlay
  if (overlay !== undefined && !isRecord(overlay)) throw refused('its overlay is no object.')
  const laid =
    overlay === undefined ? withoutOverlay(document) : overlaid(mine(source, document), overlay)
  return readOperations(document, laid, options)
}

function withoutOverlay({ root }: OpenApiDocument): Overlaid {
  return { root, said: new WeakSet(), notes: [] }
}

// what was handed in as an object is somebody else's to change
function mine(source: string | Fields, { root }: OpenApiDocument): Fields {
  return typeof source === 'string' ? root : structuredClone(root)
}

function readOperations(
  document: OpenApiDocument,
  laid: Overlaid,
  options: OpenApiOptions,
): OpenApiRead {
  const { operations: listed, omitted } = listOperations(laid.root)
  const selection = {
    allow: options.allow,
    sidecar: options.sidecar,
    isMarked: options.allow === undefined && listed.some(isActionOf),
  }
  const names = nameOperations(listed, options.name)
  const rules = rulesOf(laid.root, options)
  const results = listed.map((one) =>
    attempt(one, { selection, rules, said: laid.said, name: names.get(one.key) ?? '' }),
  )
  const read = results.flatMap((result) => ('operation' in result ? [result] : []))
  const limit = options.maxOperations ?? LIMITS.operations
  if (read.length > limit)
    throw refused(
      `it has ${read.length} operations to take, and ${limit} are allowed; name those you need with "allow".`,
    )
  const reasons = results.flatMap((result) => ('reason' in result ? [result] : []))
  const facts = { document, laid, listed, omitted, selection, reasons }
  let report: ImportReport | undefined
  return {
    operations: read.toSorted(byTool).map(({ operation }) => operation),
    get report() {
      report ??= reportOf(read, facts)
      return report
    },
  }
}

function rulesOf(root: Fields, options: OpenApiOptions): OperationRules {
  return {
    namespace: options.name,
    root,
    library: createLibrary(root),
    keys: keyParameters(root),
    main: mainServer(root, options.address),
    address: options.address,
    origins: options.origins ?? [],
    inputBudget: options.byteBudget?.input ?? BUDGET.input,
    outputBudget: options.byteBudget?.output ?? BUDGET.output,
    whereUnsaid: options.security ?? [],
    securities: new Map(),
    contracts: new Map(),
    known: new Map(),
    bodies: new Map(),
    outputs: new Map(),
  }
}

type Attempt = {
  readonly selection: Selection
  readonly rules: OperationRules
  readonly said: WeakSet<object>
  readonly name: string
}

// one bad operation never takes the document down
function attempt(
  listed: Listed,
  { selection, rules, said, name }: Attempt,
): ReadOperation | Reason {
  try {
    const hints = own(listed.operation, 'x-surehand')
    const given = sidecarEntry(entryOf(listed, selection.sidecar), listed.key)
    const isSaid = isRecord(hints) && said.has(hints)
    const sidecar = isSaid ? { ...sidecarEntry(hints, listed.key), ...given } : given
    const reason = reasonToLeave(listed, sidecar, selection)
    if (reason !== undefined) return leaving(listed, reason)
    return readOperation({ listed, name, sidecar, hints: isSaid ? undefined : hints }, rules)
  } catch (error) {
    if (error instanceof LeftOut) return leaving(listed, error.message)
    throw error
  }
}
