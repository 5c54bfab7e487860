import { edgeError } from './edge-error.ts'

export type BodyLimits = { readonly maxBytes: number; readonly timeoutMs: number }

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** A JSON body as text, bounded in bytes while it comes in and in time. */
export async function readJsonText(request: Request, limits: BodyLimits): Promise<string> {
  // a form of another site can send text/plain without asking first
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? ''))
    throw edgeError('media_type', 'Send JSON, with the header Content-Type: application/json.')
  return readText(request, limits)
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** The fields of a page's form. */
export async function readForm(request: Request, limits: BodyLimits): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(request.headers.get('content-type') ?? '')) throw edgeError('media_type', 'Send the form as the page has it.')
  return new URLSearchParams(await readText(request, limits))
}

async function readText(request: Request, { maxBytes, timeoutMs }: BodyLimits): Promise<string> {
  if (request.headers.has('content-encoding')) throw edgeError('media_type', 'Send the body uncompressed.')
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(edgeError('slow_body', `The body did not arrive within ${timeoutMs} ms.`)), timeoutMs)
  })
  try {
    return decode(await Promise.race([readBytes(request, maxBytes), late]))
  } finally {
    clearTimeout(timer)
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  // with its length told, Node itself reads no more than that
  if (request.headers.has('content-length') && !request.headers.has('transfer-encoding')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// bytes that are no UTF-8 would be replaced silently, and a byte order mark dropped
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw edgeError('malformed', 'The body is not UTF-8.')
  }
}

function tooLarge(maxBytes: number) {
  return edgeError('body_too_large', `The body is larger than the ${maxBytes} bytes that are taken here.`, { max_bytes: maxBytes })
}
