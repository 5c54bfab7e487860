import { canonicalJson, sha256 } from '@surehand/core'
import { isRecord, own } from './document/record.ts'
import { lazyOperation } from './operation/lazy-operation.ts'
import type { Operation } from './operation/operation.ts'
import type { OpenApiOptions, OpenApiRead } from './read-open-api.ts'

/** Changes whenever the same document would become other tools: old entries are then nobody's. */
export const GENERATOR_VERSION = 'openapi-1'

const FORMAT = 'surehand/openapi'
const NEW_LINE = 0x0a

type Head = Omit<Operation, 'plan'> & { readonly length: number }

/** What an entry is kept under: the document, what the importer said, and the generator. No tenant: tools of one document are everybody's. */
export function cacheKey(text: string, options: OpenApiOptions): string {
  return sha256(`${GENERATOR_VERSION}\n${sha256(text)}\n${canonicalJson(JSON.parse(JSON.stringify(options)))}`)
}

/**
 * What was read, as bytes for a file: a line about itself, a line for the report, a line with all that is listed, then a line for each
 * operation, which is parsed when that operation is first looked at.
 */
export function toCache({ operations, report }: OpenApiRead, key: string): Uint8Array {
  const plans = operations.map(({ plan }) => Buffer.from(JSON.stringify(plan)))
  const heads = operations.map(({ plan, ...head }, index) => ({ ...head, length: plans[index]?.byteLength ?? 0 }))
  const lines = [JSON.stringify({ format: FORMAT, version: GENERATOR_VERSION, key }), JSON.stringify(report), JSON.stringify(heads)]
  return new Uint8Array(Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), ...plans.flatMap((plan) => [plan, Buffer.from('\n')])]))
}

/** What was kept; undefined for bytes that are not an entry of this key and generator, or not whole. */
export function fromCache(bytes: Uint8Array, key: string): OpenApiRead | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = buffer.indexOf(NEW_LINE)
  const second = buffer.indexOf(NEW_LINE, first + 1)
  const third = buffer.indexOf(NEW_LINE, second + 1)
  if (first < 0 || second < 0 || third < 0) return undefined
  const self = parsed(buffer.toString('utf8', 0, first))
  if (own(self, 'format') !== FORMAT || own(self, 'version') !== GENERATOR_VERSION || own(self, 'key') !== key) return undefined
  const heads = parsed(buffer.toString('utf8', second + 1, third))
  if (!Array.isArray(heads)) return undefined
  // erased: whoever wrote this key and version wrote heads
  return opened(buffer, heads as readonly Head[], { start: third + 1, report: buffer.subarray(first + 1, second) })
}

type Place = { readonly start: number; readonly report: Buffer }

function opened(buffer: Buffer, heads: readonly Head[], { start, report }: Place): OpenApiRead | undefined {
  let at = start
  const operations = heads.map(({ length, ...head }) => {
    const from = at
    at += length + 1
    return lazyOperation(head, { words: () => head, plan: () => JSON.parse(buffer.toString('utf8', from, from + length)) })
  })
  if (at !== buffer.byteLength) return undefined
  return {
    operations,
    get report() {
      return JSON.parse(report.toString('utf8'))
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
