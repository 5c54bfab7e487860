import { pipeline, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { isToolError, ToolError } from '@surehand/core'
import type { EgressLimits } from './limits.ts'
import type { Head } from './send.ts'

export type Bounds = Pick<EgressLimits, 'maxBytes' | 'maxRatio'> & { readonly where: string }

type Coding = 'gzip' | 'deflate' | 'br' | 'zstd'

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
}
// so little may be packed as tightly as it likes: a page of blanks is no bomb
const RATIO_FREE_BYTES = 64 * 1024
// RFC 9659: what a decoder of zstd on the web must have memory for, and no more
const ZSTD_WINDOW_LOG = 23

/** The body unpacked, never more of it than allowed: what is too much is not waited for. */
export async function* decoded(head: Head, bounds: Bounds): AsyncGenerator<Uint8Array> {
  try {
    const coding = codingOf(head.headers, bounds)
    if (coding === undefined) yield* metered(head, bounds)
    else yield* unpacked(head, bounds, coding)
  } finally {
    // nothing may go on arriving for a reader who has left
    head.wire.destroy()
  }
}

async function* metered({ headers, wire }: Head, bounds: Bounds): AsyncGenerator<Uint8Array> {
  // believed only when it says too much, and only when a body comes: an answer to HEAD has the length and no body
  const declared = Number(headers.get('content-length') ?? 0)
  let received = 0
  for await (const chunk of wire as AsyncIterable<Buffer>) {
    received += chunk.length
    if (received > bounds.maxBytes || declared > bounds.maxBytes) throw tooLarge(bounds)
    yield chunk
  }
}

async function* unpacked(head: Head, bounds: Bounds, coding: Coding): AsyncGenerator<Uint8Array> {
  let received = 0
  let produced = 0
  const packed = metered(head, bounds)
  const first = await packed.next()
  // an answer to HEAD, a 304: a coding, and nothing that is coded
  if (first.done) return
  const start = first.value
  async function* counted() {
    received += start.length
    yield start
    for await (const chunk of packed) {
      received += chunk.length
      yield chunk
    }
  }
  const decoder = decoderFor(coding, start)
  // what goes wrong in it is thrown by the loop below
  pipeline(counted, decoder, () => undefined)
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      produced += chunk.length
      if (produced > bounds.maxBytes) throw tooLarge(bounds)
      if (produced > RATIO_FREE_BYTES && produced > received * bounds.maxRatio)
        throw tooTight(bounds)
      yield chunk
    }
  } catch (thrown) {
    throw isToolError(thrown) ? thrown : (head.wire.errored ?? broken(coding, bounds, thrown))
  }
}

function decoderFor(coding: Coding, start: Uint8Array): Transform {
  switch (coding) {
    case 'gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })
    case 'deflate':
      // the standard means zlib's wrapper, many servers send none
      return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()
  }
}

// one packing only: of two, what the outer one gives could be huge while little comes out of the inner
function codingOf(headers: Headers, { where }: Bounds): Coding | undefined {
  const named = (headers.get('content-encoding') ?? '').toLowerCase().split(',')
  const given = named
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  const [name] = given
  if (name === undefined) return undefined
  const coding = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined
  if (coding !== undefined && given.length === 1) return coding
  throw new ToolError(
    'TOOL_INVALID_OUTPUT',
    `${where} answered in a packing that is not known, or in several at once.`,
    {
      effect: 'possible',
    },
  )
}

function tooLarge({ where, maxBytes }: Bounds): ToolError {
  return new ToolError(
    'TOOL_INVALID_OUTPUT',
    `${where} answered with more than ${maxBytes} bytes. The rest was not read.`,
    {
      effect: 'possible',
      suggestions: ['Ask for less: a page, a range, fewer fields.'],
    },
  )
}

function tooTight({ where, maxRatio }: Bounds): ToolError {
  return new ToolError(
    'TOOL_INVALID_OUTPUT',
    `${where} answered in a packing of more than ${maxRatio} to 1. The rest was not read.`,
    {
      effect: 'possible',
    },
  )
}

function broken(coding: Coding, { where }: Bounds, cause: unknown): ToolError {
  return new ToolError('TOOL_INVALID_OUTPUT', `${where} answered in broken ${coding}.`, {
    effect: 'possible',
    cause,
  })
}
