import { isToolError } from '@surehand/core'

/** Another `fetch` than the global one: the caller passes one that goes through egress. */
export type Fetch = typeof globalThis.fetch

export type FetchedText =
  | {
      readonly kind: 'text'
      readonly url: string
      readonly status: number
      readonly mediaType: string
      readonly bytes: Uint8Array
      readonly text: string
      readonly isTruncated: boolean
      /** The header X-Robots-Tag. */
      readonly robotsTag: string
    }
  | { readonly kind: 'redirect'; readonly to: string | undefined; readonly status: number }
  | {
      readonly kind: 'failed'
      readonly reason: 'status' | 'unreachable' | 'media_type' | 'unreadable'
      readonly status?: number
      readonly mediaType?: string
      readonly retryAfterMs?: number
      readonly cause?: unknown
    }

export type FetchTextOptions = {
  readonly fetch: Fetch
  readonly userAgent: string
  readonly signal: AbortSignal
  /** The body is cut here; the rest is not received. */
  readonly maxBytes: number
  readonly accepts: RegExp
  /** For the whole response. */
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 15_000

/** Fetches a document once, without following redirects. Rejects only if the signal is aborted. */
export async function fetchText(url: string, options: FetchTextOptions): Promise<FetchedText> {
  const { signal, userAgent, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  try {
    const response = await options.fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: { 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,*/*;q=0.5' },
    })
    return await readResponse(response, url, options)
  } catch (thrown) {
    signal.throwIfAborted()
    return {
      kind: 'failed',
      reason: isToolError(thrown) && thrown.effect !== 'none' ? 'unreadable' : 'unreachable',
      cause: thrown,
    }
  }
}

async function readResponse(
  response: Response,
  url: string,
  { maxBytes, accepts }: FetchTextOptions,
): Promise<FetchedText> {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    await discard(response)
    const location = headers.get('location')
    const isReadable = location !== null && URL.canParse(location, url)
    return { kind: 'redirect', status, to: isReadable ? new URL(location, url).href : undefined }
  }
  if (status < 200 || status >= 300) {
    await discard(response)
    return { kind: 'failed', reason: 'status', status, ...readRetryAfter(headers) }
  }
  const contentType = headers.get('content-type') ?? 'text/html'
  const mediaType = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (!accepts.test(mediaType)) {
    await discard(response)
    return { kind: 'failed', reason: 'media_type', status, mediaType }
  }
  const { bytes, isTruncated } = await readBytes(response, maxBytes)
  const text = decodeText(bytes, contentType)
  const robotsTag = headers.get('x-robots-tag') ?? ''
  return { kind: 'text', url, status, mediaType, bytes, text, isTruncated, robotsTag }
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined)
}

function readRetryAfter(headers: Headers): { readonly retryAfterMs?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {}
}

type Received = { readonly bytes: Uint8Array; readonly isTruncated: boolean }

async function readBytes(response: Response, maxBytes: number): Promise<Received> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    chunks.push(part.value)
    length += part.value.length
    if (length <= maxBytes) continue
    await reader?.cancel().catch(() => undefined)
    return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isTruncated: true }
  }
  return { bytes: Buffer.concat(chunks), isTruncated: false }
}

const CHARSET = /charset\s*=\s*["']?([\w:.-]+)/i
/** A page declares its charset in its first 1024 bytes. */
const DECLARATION_BYTES = 1_024

function decodeText(bytes: Uint8Array, contentType: string): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES))
  const name = CHARSET.exec(contentType)?.[1] ?? CHARSET.exec(start)?.[1]
  try {
    return new TextDecoder(name).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes) // The charset is unknown.
  }
}
