import { Refusal } from '../refusal.ts'

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })
}

/** A problem of RFC 9457. */
export function problem({ code, status, title, message }: Refusal): Response {
  return json({ type: `/help/api#${code}`, title, status, code, detail: message }, status, {
    'content-type': 'application/problem+json',
  })
}

/** After a form: the browser loads the next page with GET, so that a reload sends nothing again. */
export function seeOther(location: string, headers: readonly [string, string][] = []): Response {
  return new Response(null, { status: 303, headers: [['location', location], ...headers] })
}

export function text(body: string, contentType: string, maxAgeSeconds = 300): Response {
  return new Response(body, {
    headers: {
      'content-type': `${contentType}; charset=utf-8`,
      'cache-control': `public, max-age=${maxAgeSeconds}`,
    },
  })
}

/** The refusal for any error: what is not one is a bug, and its text stays here. */
export function toRefusal(thrown: unknown): Refusal | undefined {
  return thrown instanceof Refusal ? thrown : undefined
}
