import { promises as files } from 'node:fs'
import type { Readable } from 'node:stream'
import { UsageError } from './usage-error.ts'

// More than any tool accepts; the runtime applies the tool's own limit.
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Reads the value of `--input`: `-` is standard input, `@file` a file, anything else the text
 * itself.
 */
export async function readInput(given: string, stdin: Readable): Promise<string> {
  if (given === '-') return textOf(await bytesOf(stdin), 'Standard input')
  if (!given.startsWith('@')) return given
  const file = given.slice(1)
  try {
    return textOf(await files.readFile(file), file)
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(
      `${file} cannot be read: ${(cause as Error).message}.`,
      'surehand help call',
    )
  }
}

async function bytesOf(stream: Readable): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    const bytes = Buffer.from(piece)
    size += bytes.length
    if (size > MAX_BYTES)
      throw new UsageError('Standard input is longer than any tool accepts.', 'surehand help call')
    pieces.push(bytes)
  }
  return Buffer.concat(pieces)
}

function textOf(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${what} is not UTF-8 text.`, 'surehand help call')
  }
}

/** Reads a secret from standard input; the final line end is not part of it. */
export async function readSecret(stdin: Readable): Promise<string> {
  return textOf(await bytesOf(stdin), 'Standard input').replace(/\r?\n$/, '')
}
