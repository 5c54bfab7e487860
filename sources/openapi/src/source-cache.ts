import { canonicalJson, isRecord, sha256 } from '@surehand/core/internal'
import { own } from './document/record.ts'
import { type Known, LazyOperation } from './operation/lazy-operation.ts'
import type { ContractPlan } from './operation/operation.ts'
import { planOrUndefined } from './operation/usable-plan.ts'
import type { OpenApiOptions, OpenApiRead } from './read-open-api.ts'

/**
 * Changes whenever the same document would become other tools, so that old cache entries are
 * ignored.
 */
export const GENERATOR_VERSION = 'openapi-4'

/**
 * Changes whenever entries are encoded differently, or other phrases are known. The tools stay the
 * same, and so do accepted pins.
 */
export const CACHE_FORMAT = 'lines-4'

const FORMAT = 'surehand/openapi'
const NEW_LINE = 0x0a

/** `contract` is an index into the list of contracts; `words` and `plan` are lengths in bytes. */
type Entry = Omit<Known, 'contract'> & {
  readonly contract: number
  readonly words: number
  readonly plan: number
}
type Index = {
  readonly report: number
  readonly contracts: readonly ContractPlan[]
  readonly operations: readonly Entry[]
}

/**
 * The cache key: document, options and generator version. The tenant is not part of it, because the
 * same document gives the same tools.
 */
export function cacheKey(text: string, options: OpenApiOptions): string {
  return sha256(
    `${GENERATOR_VERSION}\n${sha256(text)}\n${canonicalJson(JSON.parse(JSON.stringify(options)))}`,
  )
}

/**
 * Encodes a read document for a cache file: a header line, an index line, the report, then the
 * texts and the plan of each operation, which are parsed on first use. Operations that cannot be
 * tools are only in the report.
 */
export function toCache({ operations, report }: OpenApiRead, key: string): Uint8Array {
  const contracts = new Map<string, number>()
  const records: Buffer[] = []
  const record = (value: unknown): number => {
    const bytes = Buffer.from(JSON.stringify(value))
    records.push(bytes)
    return bytes.byteLength
  }
  const reportLength = record(report)
  const entries = operations.flatMap((operation): readonly Entry[] => {
    const plan = planOrUndefined(operation)
    if (plan === undefined) return []
    const { toolId, key: place, operationId, isDeprecated, title, description, phrases } = operation
    const written = JSON.stringify(operation.contract)
    if (!contracts.has(written)) contracts.set(written, contracts.size)
    const contract = contracts.get(written) ?? 0
    return [
      {
        toolId,
        key: place,
        operationId,
        isDeprecated,
        contract,
        words: record({ title, description, phrases }),
        plan: record(plan),
      },
    ]
  })
  const index: Index = {
    report: reportLength,
    contracts: [...contracts.keys()].map((one) => JSON.parse(one)),
    operations: entries,
  }
  const self = { format: FORMAT, written: CACHE_FORMAT, version: GENERATOR_VERSION, key }
  return new Uint8Array(
    Buffer.concat([Buffer.from(`${JSON.stringify(self)}\n${JSON.stringify(index)}\n`), ...records]),
  )
}

/**
 * Decodes a cache file; undefined if it is damaged or belongs to another key, format or generator.
 */
export function fromCache(bytes: Uint8Array, key: string): OpenApiRead | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = buffer.indexOf(NEW_LINE)
  const second = buffer.indexOf(NEW_LINE, first + 1)
  if (first < 0 || second < 0) return undefined
  const self = parseJson(buffer.toString('utf8', 0, first))
  if (own(self, 'format') !== FORMAT || own(self, 'written') !== CACHE_FORMAT) return undefined
  if (own(self, 'version') !== GENERATOR_VERSION || own(self, 'key') !== key) return undefined
  // Type erased: only `toCache` writes entries with this key, format and version.
  const index = parseJson(buffer.toString('utf8', first + 1, second)) as Index | undefined
  return index === undefined ? undefined : openEntries(buffer.subarray(second + 1), index)
}

function openEntries(
  buffer: Buffer,
  { report, contracts, operations: entries }: Index,
): OpenApiRead | undefined {
  let at = report
  const slice = (from: number, to: number) => () => JSON.parse(buffer.toString('utf8', from, to))
  const operations = entries.map((entry) => {
    const words = at
    const plan = words + entry.words
    at = plan + entry.plan
    const { toolId, key, operationId, isDeprecated } = entry
    // Type erased: an entry refers to a contract of its own index.
    const contract = contracts[entry.contract] as ContractPlan
    return new LazyOperation(
      { toolId, key, operationId, isDeprecated, contract },
      { words: slice(words, plan), plan: slice(plan, at) },
    )
  })
  if (at !== buffer.byteLength) return undefined
  return {
    operations,
    get report() {
      return JSON.parse(buffer.toString('utf8', 0, report))
    },
  }
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) || Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
