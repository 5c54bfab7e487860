import { createReadStream } from 'node:fs'
import { exportReader } from './export-reader.ts'
import type { Trust, Verdict } from './verifier.ts'

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
