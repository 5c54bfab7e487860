import { canonicalJson, sha256 } from '@surehand/core'
import { isRecord, own } from './document/record.ts'
import { lazyOperation } from './operation/lazy-operation.ts'
import type { ContractPlan } from './operation/operation.ts'
import { usablePlan } from './operation/usable-plan.ts'
import type { OpenApiOptions, OpenApiRead } from './read-open-api.ts'

/** Changes whenever the same document would become other tools: old entries are then nobody's. */
export const GENERATOR_VERSION = 'openapi-1'

/** Changes whenever entries are written in another way: the tools stay what they are, and so do the pins of those who accepted them. */
export const CACHE_FORMAT = 'lines-2'

const FORMAT = 'surehand/openapi'
const NEW_LINE = 0x0a

/** What is known of an operation before anybody looks at it; `contract` is a place in the list of contracts, lengths are in bytes. */
type Entry = readonly [
  toolId: string,
  key: string,
  operationId: string | null,
  isDeprecated: boolean,
  contract: number,
  words: number,
  plan: number,
]
type Index = { readonly report: number; readonly contracts: readonly ContractPlan[]; readonly operations: readonly Entry[] }

/** What an entry is kept under: the document, what the importer said, and the generator. No tenant: tools of one document are everybody's. */
export function cacheKey(text: string, options: OpenApiOptions): string {
  return sha256(`${GENERATOR_VERSION}\n${sha256(text)}\n${canonicalJson(JSON.parse(JSON.stringify(options)))}`)
}

/**
 * What was read, as bytes for a file: a line about itself, a line with the index, the report, then the words and the plan of each
 * operation, which are parsed when they are first looked at. What can be no tool is in the report alone.
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
    const plan = usablePlan(operation)
    if (plan === undefined) return []
    const { toolId, key: place, operationId, isDeprecated, title, description } = operation
    const contract = JSON.stringify(operation.contract)
    if (!contracts.has(contract)) contracts.set(contract, contracts.size)
    return [[toolId, place, operationId, isDeprecated, contracts.get(contract) ?? 0, record({ title, description }), record(plan)]]
  })
  const index: Index = { report: reportLength, contracts: [...contracts.keys()].map((one) => JSON.parse(one)), operations: entries }
  const self = { format: FORMAT, written: CACHE_FORMAT, version: GENERATOR_VERSION, key }
  return new Uint8Array(Buffer.concat([Buffer.from(`${JSON.stringify(self)}\n${JSON.stringify(index)}\n`), ...records]))
}

/** What was kept; undefined for bytes that are not an entry of this key, format and generator, or not whole. */
export function fromCache(bytes: Uint8Array, key: string): OpenApiRead | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = buffer.indexOf(NEW_LINE)
  const second = buffer.indexOf(NEW_LINE, first + 1)
  if (first < 0 || second < 0) return undefined
  const self = parsed(buffer.toString('utf8', 0, first))
  if (own(self, 'format') !== FORMAT || own(self, 'written') !== CACHE_FORMAT) return undefined
  if (own(self, 'version') !== GENERATOR_VERSION || own(self, 'key') !== key) return undefined
  // erased: whoever wrote this key, format and version wrote an index
  const index = parsed(buffer.toString('utf8', first + 1, second)) as Index | undefined
  return index === undefined ? undefined : opened(buffer.subarray(second + 1), index)
}

function opened(buffer: Buffer, { report, contracts, operations: entries }: Index): OpenApiRead | undefined {
  let at = report
  const operations = entries.map(([toolId, key, operationId, isDeprecated, contract, wordsLength, planLength]) => {
    const words = at
    const plan = words + wordsLength
    at = plan + planLength
    return lazyOperation(
      { toolId, key, operationId, isDeprecated, contract: contracts[contract] as ContractPlan },
      {
        words: () => JSON.parse(buffer.toString('utf8', words, plan)),
        plan: () => JSON.parse(buffer.toString('utf8', plan, plan + planLength)),
      },
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

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) || Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
