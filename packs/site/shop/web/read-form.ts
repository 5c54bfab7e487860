import { Refusal } from '../refusal.ts'
import type { Visit } from './route.ts'
import { requireCsrf } from './visitor.ts'

/** The fields of a form, by name; a file is named by its file name. */
export type FormFields = {
  readonly text: (name: string) => string
  readonly file: (name: string) => File | undefined
  /** The Idempotency-Key of this rendering of the form. */
  readonly key: string
}

const KEY = /^[A-Za-z0-9_-]{8,255}$/

/** Reads a form in any encoding that HTML knows, and checks its CSRF token. */
export async function readForm({ shop, request, visitor }: Visit): Promise<FormFields> {
  const entries = await readEntries(request)
  const text = (name: string): string => {
    const value = entries.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  requireCsrf(shop, visitor, text('_csrf'))
  const key = text('_key')
  if (!KEY.test(key))
    throw new Refusal('invalid_request', 'The form is incomplete. Reload the page.')
  return {
    text,
    file(name) {
      const value = entries.get(name)
      return value instanceof File && value.size > 0 ? value : undefined
    },
    key: `form_${visitor.session}_${key}`,
  }
}

async function readEntries(request: Request): Promise<ReadonlyMap<string, string | File>> {
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('text/plain')) return readPlain(await request.text())
  try {
    return new Map(await request.formData())
  } catch {
    throw new Refusal('invalid_request', 'The form could not be read. Send it again.')
  }
}

// HTML's text/plain is one NAME=VALUE a line. It is ambiguous, so it serves for forms of one line.
function readPlain(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line) => {
      const at = line.indexOf('=')
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
    }),
  )
}
