import { type Buffer, isUtf8 } from 'node:buffer'
import type { Clock, Maybe } from '@surehand/core/ports'
import { bodyTooLarge, edgeError } from './edge-error.ts'
import type { EdgeRequest } from './edge-request.ts'

export type BodyLimits = {
  readonly maxBytes: number
  /** A body that arrives more slowly is refused: it would occupy its connection for minutes. */
  readonly timeoutMs: number
  readonly clock: Clock
}

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i

export function isJsonType(contentType: string | undefined): boolean {
  return contentType === 'application/json' || JSON_TYPE.test(contentType ?? '')
}

/** The bytes of a JSON body. Answers without a promise where the body has already arrived. */
export function readJsonBytes(request: EdgeRequest, limits: BodyLimits): Maybe<Buffer> {
  // A page of another site can send text/plain without a CORS preflight: only JSON is read as JSON.
  if (!isJsonType(request.header('content-type')))
    throw edgeError('media_type', 'Send JSON, with the header Content-Type: application/json.')
  return readBody(request, limits)
}

/** A JSON body as text. */
export function readJsonText(request: EdgeRequest, limits: BodyLimits): Maybe<string> {
  const bytes = readJsonBytes(request, limits)
  return bytes instanceof Promise ? bytes.then(decodeUtf8) : decodeUtf8(bytes)
}

/** The fields of an HTML form. */
export async function readForm(request: EdgeRequest, limits: BodyLimits): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(request.header('content-type') ?? ''))
    throw edgeError('media_type', 'Send the form as application/x-www-form-urlencoded.')
  return new URLSearchParams(decodeUtf8(await readBody(request, limits)))
}

/** The bytes of a body of any type, as they arrived. */
export function readBody(
  request: EdgeRequest,
  { maxBytes, timeoutMs, clock }: BodyLimits,
): Maybe<Buffer> {
  if (request.header('content-encoding') !== undefined)
    throw edgeError('media_type', 'Send the body uncompressed, without Content-Encoding.')
  if (Number(request.header('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  const bytes = request.readBytes(maxBytes)
  return bytes instanceof Promise ? withTimeout(bytes, timeoutMs, clock) : bytes
}

function withTimeout(bytes: Promise<Buffer>, timeoutMs: number, clock: Clock): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () =>
      reject(edgeError('slow_body', `The body did not arrive within ${timeoutMs} ms.`)),
    )
    bytes.then(resolve, reject).finally(cancel)
  })
}

// Bytes that are not UTF-8 would be replaced silently, and the tool would get what the client did
// not send.
function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw edgeError('malformed', 'The body is not UTF-8.')
  return bytes.toString()
}
