import { promises as files } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { ToolError } from '@surehand/core'
import { canonicalJson } from '@surehand/core/internal'
import { headOf, type SignedHead } from './signed-head.ts'

/**
 * Stores a head where a person with write access to the database cannot change it. When it returns,
 * the head is stored durably.
 */
export type Anchor = (head: SignedHead) => Promise<void>

/**
 * Appends heads to a file, each synced before the next. The file belongs on another machine's disk
 * or on append-only storage.
 */
export function fileAnchor(path: string): Anchor {
  let last: Promise<unknown> = Promise.resolve()
  return (head) => {
    const turn = last.then(() => appendLine(path, canonicalJson(head)))
    last = turn.catch(() => undefined)
    return turn
  }
}

async function appendLine(path: string, line: string): Promise<void> {
  const file = await files.open(path, 'a+', 0o600)
  try {
    // A line that a crash has cut short must not be joined with the next one.
    await file.appendFile(`${(await endsInLine(file)) ? '' : '\n'}${line}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function endsInLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return true
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

/** Writes heads to the standard output, where the app's logs are collected. */
export function stdoutAnchor(write: (line: string) => unknown = writeOut): Anchor {
  return async (head) => void (await write(`${canonicalJson({ audit_head: head })}\n`))
}

// A pipe accepts a line before it is read: without waiting, a process that ends would have marked a
// head as anchored that was never delivered.
function writeOut(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(line, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Reads the heads from an anchor file. A last line that was cut short is ignored; any other invalid
 * line is an error.
 */
export function readAnchors(text: string): readonly SignedHead[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (line === '') return []
    const head = parsedHead(line)
    if (head !== undefined) return [head]
    if (isCutShort(line)) return []
    throw new ToolError('TOOL_INVALID_INPUT', `Line ${index + 1} of the anchors is no signed head.`)
  })
}

function parsedHead(line: string): SignedHead | undefined {
  try {
    const value = JSON.parse(line) as { audit_head?: unknown }
    return headOf(value.audit_head ?? value)
  } catch {
    return undefined
  }
}

// The machine stopped while the line was written.
function isCutShort(line: string): boolean {
  return line.startsWith('{') && !line.endsWith('}')
}
