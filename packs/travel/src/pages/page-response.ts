import { escapeHtml } from '../documents/html.ts'

// The pages have no scripts and load nothing from outside; a form sends to this server only.
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cache-control': 'no-store',
}

export function htmlResponse(body: string, status = 200): Response {
  return new Response(body, {
    status,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' },
  })
}

export type FileResponse = {
  readonly content: string
  readonly mediaType: string
  readonly fileName: string
}

export function fileResponse({ content, mediaType, fileName }: FileResponse): Response {
  return new Response(content, {
    headers: {
      ...HEADERS,
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  })
}

/** A small page with a heading. The body is HTML. */
export function simplePage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;color:#0f172a;max-width:42rem;margin:2rem auto;padding:0 1rem}textarea{width:100%;font:inherit;padding:.5rem;box-sizing:border-box}button{font:inherit;padding:.5rem 1rem}.quiet{color:#475569}li{margin:.25rem 0}</style>
</head><body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`
}

export function messagePage(title: string, message: string, status: number): Response {
  return htmlResponse(simplePage(title, `<p>${escapeHtml(message)}</p>`), status)
}
