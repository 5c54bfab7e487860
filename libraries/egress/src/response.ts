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
import type { ResponseHead } from './send.ts'

/**
 * A response whose body is still arriving. It holds a connection until it was read or discarded, or
 * the total time limit is reached.
 */
export type EgressResponseStream = {
  readonly status: number
  /** Without `content-encoding` and `content-length` where the body was decompressed. */
  readonly headers: Headers
  /** The URL after all redirects. */
  readonly url: string
  readonly body: AsyncIterable<Uint8Array>
  /** Frees the connection without reading the rest of the body. */
  readonly discard: () => void
}

export type EgressResponse = Omit<EgressResponseStream, 'body' | 'discard'> & {
  readonly bytes: Uint8Array
  /** Decoded with the charset that the response names, otherwise as UTF-8. */
  readonly text: () => string
  readonly json: () => unknown
}

/** Reads the whole body. */
export async function readResponse({
  status,
  headers,
  url,
  body,
}: EgressResponseStream): Promise<EgressResponse> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return createResponse({ status, headers, url, bytes: Buffer.concat(chunks) })
}

/** Adds the `text` and `json` functions to a response. */
export function createResponse(
  facts: Pick<EgressResponse, 'status' | 'headers' | 'url' | 'bytes'>,
): EgressResponse {
  const text = () => createDecoder(facts.headers).decode(facts.bytes)
  return { ...facts, text, json: () => parseJsonBody(text(), facts.url) }
}

function createDecoder(headers: Headers): InstanceType<typeof TextDecoder> {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers.get('content-type') ?? '')?.[1]
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder() // The charset is unknown.
  }
}

function parseJsonBody(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without its cause, which quotes the response.
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${new URL(url).host} did not answer with JSON.`,
      { effect: 'possible' },
    )
  }
}

export type BodyLimits = Pick<EgressLimits, 'maxBytes' | 'maxRatio'> & { readonly where: string }

type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd'

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
}
// Below this size any ratio is allowed: a page of blanks is no decompression bomb.
const RATIO_FREE_BYTES = 64 * 1024
// RFC 9659: the window size that a zstd decoder for the web must support. A larger one would cost
// memory.
const ZSTD_WINDOW_LOG = 23

/** Decompresses the body. Throws as soon as it exceeds the limits, without reading the rest. */
export async function* decodeBody(
  head: ResponseHead,
  bounds: BodyLimits,
): AsyncGenerator<Uint8Array> {
  try {
    const coding = encodingOf(head.headers, bounds)
    if (coding === undefined) yield* limitBody(head, bounds)
    else yield* decompressBody(head, bounds, coding)
  } finally {
    // The connection must not go on receiving after the reader has left.
    head.wire.destroy()
  }
}

async function* limitBody(
  { headers, wire }: ResponseHead,
  bounds: BodyLimits,
): AsyncGenerator<Uint8Array> {
  // Content-Length is used only to refuse early, and only when a body arrives: a response to HEAD
  // has a length and no body.
  const declared = Number(headers.get('content-length') ?? 0)
  let received = 0
  for await (const chunk of wire as AsyncIterable<Buffer>) {
    received += chunk.length
    if (received > bounds.maxBytes || declared > bounds.maxBytes) throw tooLarge(bounds)
    yield chunk
  }
}

async function* decompressBody(
  head: ResponseHead,
  bounds: BodyLimits,
  coding: Encoding,
): AsyncGenerator<Uint8Array> {
  let received = 0
  let produced = 0
  const packed = limitBody(head, bounds)
  const first = await packed.next()
  // A response to HEAD and a 304 name an encoding but have no body.
  if (first.done) return
  const start = first.value
  async function* countReceived() {
    received += start.length
    yield start
    for await (const chunk of packed) {
      received += chunk.length
      yield chunk
    }
  }
  const decoder = decoderFor(coding, start)
  // Errors of the pipeline are thrown by the loop below.
  pipeline(countReceived, decoder, () => undefined)
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      produced += chunk.length
      if (produced > bounds.maxBytes) throw tooLarge(bounds)
      if (produced > RATIO_FREE_BYTES && produced > received * bounds.maxRatio)
        throw ratioTooHigh(bounds)
      yield chunk
    }
  } catch (thrown) {
    throw isToolError(thrown)
      ? thrown
      : (head.wire.errored ?? invalidEncoding(coding, bounds, thrown))
  }
}

function decoderFor(coding: Encoding, start: Uint8Array): Transform {
  switch (coding) {
    case 'gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })
    case 'deflate':
      // The standard requires the zlib header, but many servers send raw deflate.
      return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()
  }
}

// Only one encoding: of two, the outer one could produce a huge stream from which the inner one
// produces little.
function encodingOf(headers: Headers, { where }: BodyLimits): Encoding | undefined {
  const named = (headers.get('content-encoding') ?? '').toLowerCase().split(',')
  const given = named
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  const [name] = given
  if (name === undefined) return undefined
  const coding = Object.hasOwn(ENCODINGS, name) ? ENCODINGS[name] : undefined
  if (coding !== undefined && given.length === 1) return coding
  throw new ToolError(
    'TOOL_INVALID_OUTPUT',
    `${where} answered with an unknown content encoding, or with several.`,
    {
      effect: 'possible',
    },
  )
}

function tooLarge({ where, maxBytes }: BodyLimits): ToolError {
  return new ToolError(
    'TOOL_INVALID_OUTPUT',
    `${where} answered with more than ${maxBytes} bytes. The rest was not read.`,
    {
      effect: 'possible',
      suggestions: ['Request less: a page, a range, or fewer fields.'],
    },
  )
}

function ratioTooHigh({ where, maxRatio }: BodyLimits): ToolError {
  return new ToolError(
    'TOOL_INVALID_OUTPUT',
    `${where} answered with a body compressed more than ${maxRatio} to 1. The rest was not read.`,
    {
      effect: 'possible',
    },
  )
}

function invalidEncoding(coding: Encoding, { where }: BodyLimits, cause: unknown): ToolError {
  return new ToolError('TOOL_INVALID_OUTPUT', `${where} answered with invalid ${coding}.`, {
    effect: 'possible',
    cause,
  })
}
