import { createHash } from 'node:crypto'
import { SAFE_HEADERS } from '../reply.ts'
import { type Html, html } from './html.ts'

const STYLE = `:root{color-scheme:light dark;--ground:#f4f3ef;--card:#fff;--ink:#1c1c1a;--quiet:#5b5b56;--line:#dad8d1;--soft:#f1f0ec;--bad:#b00020;--bad-soft:#fdeeef;--good:#0b5d2a;--good-soft:#ecf6ef}
@media(prefers-color-scheme:dark){:root{--ground:#121314;--card:#1d1e20;--ink:#ecebe6;--quiet:#a9a8a1;--line:#3a3b3e;--soft:#28292c;--bad:#ff8c97;--bad-soft:#391b20;--good:#7fd19b;--good-soft:#17301f}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:48rem;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header{padding:0 .25rem .6rem;color:var(--quiet);font-weight:600;letter-spacing:.02em}
main{padding:1.25rem 1.5rem 1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
h1{margin:0 0 1rem;font-size:1.45rem;line-height:1.3;white-space:pre-wrap}
h2{margin:1.75rem 0 .5rem;padding-bottom:.3rem;border-bottom:1px solid var(--line);font-size:1.05rem}
dl{margin:0}
dt{margin-top:.6rem;color:var(--quiet);font-weight:600}
dd{margin:0;padding-left:.75rem;border-left:3px solid var(--line);white-space:pre-wrap}
table{width:100%;border-collapse:collapse}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}
thead th{color:var(--quiet);font-weight:600}
.changes td:last-child{font-weight:600}
time{white-space:nowrap}
bdi{unicode-bidi:isolate}
mark{background:#b00020;color:#fff;padding:0 .15em;border-radius:.2em}
code,pre{font-family:ui-monospace,monospace;font-size:.92em}
pre{margin:.5rem 0;padding:.75rem;background:var(--soft);border:1px solid var(--line);border-radius:.4rem;white-space:pre-wrap}
.note,.danger,.done{margin:0 0 1rem;padding:.6rem .8rem;border:1px solid var(--line);border-left-width:.3rem;border-radius:.4rem;background:var(--soft)}
.danger{border-color:var(--bad);background:var(--bad-soft);font-weight:600}
.done{border-color:var(--good);background:var(--good-soft)}
.note p,.done p{margin:.25rem 0}
.small{color:var(--quiet);font-size:.85rem}
.list{margin:0;padding:0;list-style:none}
.list li{padding:.75rem 0;border-bottom:1px solid var(--line)}
.list a{display:block;font-weight:600}
label{display:block;margin-top:1rem;font-weight:600}
textarea,select,input[type=password],input[type=text],input[type=date]{width:100%;min-height:2.75rem;padding:.6rem;border:1px solid var(--quiet);border-radius:.4rem;background:transparent;color:inherit;font:inherit}
textarea{display:block;field-sizing:content;resize:vertical}
select,select option{background:var(--card)}
textarea.code{font-family:ui-monospace,monospace;font-size:.92em}
fieldset{min-width:0;margin:1.25rem 0 0;padding:.25rem 1rem 1rem;border:1px solid var(--line);border-radius:.4rem}
fieldset.choices{margin-top:1rem;padding:0;border:0}
legend{padding:0 .35rem;font-weight:600}
.choices legend{padding:0}
.choice{display:flex;align-items:center;gap:.6rem;min-height:2.75rem;margin:0;font-weight:400}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:#0b5d2a}
label .small,legend .small{font-weight:400}
.hint{margin:0 0 .3rem;color:var(--quiet);font-size:.9rem}
.wrong{margin:0 0 .3rem;color:var(--bad);font-weight:600}
[aria-invalid]:not(fieldset){border:2px solid var(--bad)}
.danger p{margin:0}
.danger ul{margin:.4rem 0 0;padding-left:1.25rem;font-weight:400}
.steps{padding-left:1.4rem}
.answers{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1rem}
button{flex:1 1 10rem;min-height:3rem;border:2px solid var(--quiet);border-radius:.4rem;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button.yes{background:#0b5d2a;border-color:#0b5d2a;color:#fff}
button.no{background:#b00020;border-color:#b00020;color:#fff}
button:hover{filter:brightness(1.12)}
:focus-visible{outline:3px solid #3b82f6;outline-offset:2px}
a{color:inherit}
@media(min-width:40rem){main>dl{display:grid;grid-template-columns:fit-content(14rem) 1fr;column-gap:1.25rem;row-gap:.45rem}main>dl>dt{margin:0}}
@media(max-width:30rem){body{padding:.6rem}main{padding:1rem}}`

// No script, one style identified by its hash, no frames, forms to this server only.
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

export type PageOptions = {
  readonly title: string
  readonly status?: number
  readonly cookie?: string
}

/** A complete HTML page without scripts, for phones too. */
export function page(body: Html, { title, status = 200, cookie }: PageOptions): Response {
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${{ markup: STYLE }}</style></head>
<body><header>Surehand</header>${body}</body></html>
`
  return new Response(whole.markup, {
    status,
    headers: { ...HEADERS, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
  })
}

/** Redirects to another page of this server. */
export function redirect(path: string, cookie?: string): Response {
  return new Response(null, {
    status: 303,
    headers: {
      ...SAFE_HEADERS,
      location: path,
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    },
  })
}
