import { createHash } from 'node:crypto'
import { SAFE_HEADERS } from '../reply.ts'
import { type Html, html } from './html.ts'

const STYLE = `:root{color-scheme:light dark;--line:#8886;--soft:#8882}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25;white-space:pre-wrap}
h2{font-size:1.05rem;margin:1.5rem 0 .5rem}
dl{margin:0}
dt{font-weight:600;margin-top:.6rem}
dd{margin:0;padding-left:.75rem;border-left:3px solid var(--line);white-space:pre-wrap}
bdi{unicode-bidi:isolate}
mark{background:#b00020;color:#fff;padding:0 .15em;border-radius:.2em}
code{font-family:ui-monospace,monospace}
.note{border:1px solid var(--line);background:var(--soft);border-radius:.4rem;padding:.6rem .8rem}
.danger{border:2px solid #b00020;border-radius:.4rem;padding:.6rem .8rem;font-weight:600}
.small{font-size:.85rem}
label{display:block;font-weight:600;margin-top:1rem}
textarea,input[type=password]{width:100%;font:inherit;padding:.6rem;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit}
.answers{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1rem}
button{flex:1 1 10rem;min-height:3rem;font:inherit;font-weight:600;border-radius:.4rem;border:2px solid #555;background:transparent;color:inherit}
button.yes{background:#0b5d2a;border-color:#0b5d2a;color:#fff}
button.no{background:#b00020;border-color:#b00020;color:#fff}
a{color:inherit}`

// no script at all, one style known by its hash, no frame around it, forms to this house only
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const HEADERS = {
  ...SAFE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

export type PageOptions = { readonly title: string; readonly status?: number; readonly cookie?: string }

/** A whole page, for phones too and without script. */
export function page(body: Html, { title, status = 200, cookie }: PageOptions): Response {
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${{ markup: STYLE }}</style></head>
<body>${body}</body></html>
`
  return new Response(whole.markup, { status, headers: { ...HEADERS, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) } })
}

/** On to another page of this house. */
export function redirect(path: string, cookie?: string): Response {
  return new Response(null, {
    status: 303,
    headers: { ...SAFE_HEADERS, location: path, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
  })
}
