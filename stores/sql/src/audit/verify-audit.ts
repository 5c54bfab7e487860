import { createReadStream } from 'node:fs'
import { canonicalJson } from '@surehand/core/internal'
import { EXPORT_FORMAT } from './export-audit.ts'
import type { Flaw } from './flaw.ts'
import { type Payload, payloadText } from './leaf.ts'
import type { ShownRecord } from './record-check.ts'
import { headOf, type SignedHead } from './signed-head.ts'
import { auditVerifier, type Trust, type Verdict, type Verifier } from './verifier.ts'

/**
 * Verifies an export line by line, with nothing but the given keys and anchors, and reports the
 * first flaw.
 */
export async function verifyAudit(
  lines: AsyncIterable<string> | Iterable<string>,
  trust: Trust,
): Promise<Verdict> {
  const reader = exportReader(trust)
  // No promise per line, which would cost a tenth of the whole time.
  if (Symbol.iterator in lines) {
    for (const line of lines) if (reader.line(line) === 'enough') break
  } else {
    for await (const line of lines) if (reader.line(line) === 'enough') break
  }
  return reader.end()
}

/** Verifies an export file, reading a part of it at a time. */
export async function verifyAuditFile(path: string, trust: Trust): Promise<Verdict> {
  const reader = exportReader(trust)
  let rest = ''
  for await (const piece of createReadStream(path, {
    encoding: 'utf8',
    highWaterMark: PIECE_BYTES,
  })) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    if (lines.some((line) => reader.line(line) === 'enough')) return reader.end()
  }
  reader.line(rest)
  return reader.end()
}

const PIECE_BYTES = 256 * 1024

// The common form: nothing erased, and no character that JSON escapes.
const PLAIN =
  /^\{"erased_at":null,"erasure":null,"error":"([^"\\]*)","input_hash":"([^"\\]*)","output_hash":"([^"\\]*)","principal":"([^"\\]*)","salt":"([^"\\]*)"\}$/

/**
 * Parses a payload from its canonical text; undefined when it is not one or has additional fields.
 */
function readPayload(text: string): Payload | undefined {
  const plain = PLAIN.exec(text)
  if (plain === null) return parsedPayload(text)
  const [, error = '', input_hash = '', output_hash = '', principal = '', salt = ''] = plain
  return { erased_at: null, erasure: null, error, input_hash, output_hash, principal, salt }
}

function parsedPayload(text: string): Payload | undefined {
  try {
    const payload = JSON.parse(text) as Payload
    // Serialized again and compared, so that no additional or duplicate field goes unnoticed.
    return payloadText(payload) === text ? payload : undefined
  } catch {
    return undefined
  }
}

/** Reads an export line by line until it finds a flaw. */
export type Reader = {
  readonly line: (line: string) => 'more' | 'enough'
  readonly end: () => Verdict
}

function exportReader(trust: Trust): Reader {
  let reading: { readonly tenant: string; readonly verifier: Verifier } | undefined
  let records = 0
  let isWhole = false
  let found: Flaw | undefined

  function flawIn(line: string): Flaw | undefined {
    if (reading === undefined) {
      const header = headerOf(line)
      if (header === undefined) return unread(0, 'The first line is no header of an audit export.')
      reading = {
        tenant: header.tenant,
        verifier: auditVerifier(header.tenant, trust, header.head),
      }
      return undefined
    }
    if (isWhole) return unread(records, 'Something stands behind the end.')
    const read = lineOf(line)
    const flaw = flawOf(read, reading.verifier, records)
    if (read.kind === 'record') records++
    isWhole = read.kind === 'end'
    return flaw
  }

  return {
    line(line) {
      if (line !== '') found = flawIn(line)
      return found === undefined ? 'more' : 'enough'
    },
    end() {
      if (found !== undefined) return toFlaw(reading?.tenant ?? '', found)
      if (reading === undefined) return toFlaw('', unread(0, 'There is nothing here.'))
      return isWhole
        ? reading.verifier.end()
        : toFlaw(reading.tenant, unread(records, 'The export is cut short: its end is missing.'))
    },
  }
}

function flawOf(read: Line, verifier: Verifier, records: number): Flaw | undefined {
  switch (read.kind) {
    case 'record':
      return verifier.record(read)
    case 'head':
      return verifier.head(read.head)
    case 'end':
      return read.size === records
        ? undefined
        : unread(records, `The end speaks of ${read.size} records, and ${records} are here.`)
    case 'unreadable':
      return unread(
        records,
        `What stands behind record ${records - 1} is neither a record nor a head.`,
      )
  }
}

function toFlaw(tenant: string, flaw: Flaw): Verdict {
  return { kind: 'broken', tenant, flaw }
}

function unread(position: number, what: string): Flaw {
  return { position, what }
}

type Line =
  | ({ readonly kind: 'record' } & ShownRecord)
  | { readonly kind: 'head'; readonly head: SignedHead }
  | { readonly kind: 'end'; readonly size: number }
  | { readonly kind: 'unreadable' }

const UNREADABLE: Line = { kind: 'unreadable' }
const LEAF_AT = '{"leaf":"'.length
const PAYLOAD_AT = LEAF_AT + 64 + '","payload":'.length
const RECORD_KEY = ',"record":'

function lineOf(line: string): Line {
  return line.startsWith('{"leaf":"') ? recordLine(line) : otherLine(line)
}

// The record's text is hashed as it is, so it need not be parsed.
function recordLine(line: string): Line {
  const recordKey = line.indexOf(RECORD_KEY, PAYLOAD_AT)
  if (recordKey < 0 || !line.startsWith('","payload":', LEAF_AT + 64) || !line.endsWith('}'))
    return UNREADABLE
  const payload = readPayload(line.slice(PAYLOAD_AT, recordKey))
  if (payload === undefined) return UNREADABLE
  return {
    kind: 'record',
    leaf: line.slice(LEAF_AT, LEAF_AT + 64),
    payload,
    text: line.slice(recordKey + RECORD_KEY.length, -1),
  }
}

function otherLine(line: string): Line {
  const value = parseLine(line) as
    | { readonly head?: unknown; readonly end?: { readonly size?: unknown } }
    | undefined
  const head = headOf(value?.head)
  if (head !== undefined)
    return canonicalJson({ head }) === line ? { kind: 'head', head } : UNREADABLE
  const size = value?.end?.size
  return typeof size === 'number' ? { kind: 'end', size } : UNREADABLE
}

function headerOf(
  line: string,
): { readonly tenant: string; readonly head: SignedHead | undefined } | undefined {
  const header = parseLine(line) as
    | { readonly format?: unknown; readonly tenant?: unknown; readonly head?: unknown }
    | undefined
  if (header?.format !== EXPORT_FORMAT || typeof header.tenant !== 'string') return undefined
  return { tenant: header.tenant, head: headOf(header.head) }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
