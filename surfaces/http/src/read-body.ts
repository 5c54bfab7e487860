import { isUtf8 } from 'node:buffer'
import type { Maybe } from '@surehand/core/ports'
import { edgeError } from './edge-error.ts'
import { tooLarge } from './too-large.ts'
import type { Visit } from './visit.ts'

export type BodyLimits = { readonly maxBytes: number; readonly timeoutMs: number }

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** A JSON body as text, bounded in bytes while it comes in and in time. Not waited for where it has come already. */
export function readJsonText(visit: Visit, limits: BodyLimits): Maybe<string> {
  const type = visit.header('content-type') ?? ''
  // a form of another site can send text/plain without asking first
  if (type !== 'application/json' && !JSON_TYPE.test(type))
    throw edgeError('media_type', 'Send JSON, with the header Content-Type: application/json.')
  return readText(visit, limits)
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** The fields of a page's form. */
export async function readForm(visit: Visit, limits: BodyLimits): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(visit.header('content-type') ?? ''))
    throw edgeError('media_type', 'Send the form as the page has it.')
  return new URLSearchParams(await readText(visit, limits))
}

function readText(visit: Visit, { maxBytes, timeoutMs }: BodyLimits): Maybe<string> {
  if (visit.header('content-encoding') !== undefined)
    throw edgeError('media_type', 'Send the body uncompressed.')
  if (Number(visit.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const bytes = visit.bytes(maxBytes)
  return bytes instanceof Uint8Array ? decode(bytes) : inTime(bytes, timeoutMs).then(decode)
}

async function inTime(bytes: Promise<Buffer>, timeoutMs: number): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(edgeError('slow_body', `The body did not arrive within ${timeoutMs} ms.`)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([bytes, late])
  } finally {
    clearTimeout(timer)
  }
}

// bytes that are no UTF-8 would be replaced silently
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw edgeError('malformed', 'The body is not UTF-8.')
  return bytes.toString()
}
