import { createHash } from 'node:crypto'
import { SAFE_HEADERS } from '../reply.ts'
import { type Html, html } from './html.ts'

const STYLE = `:root{color-scheme:light dark;--ground:#f4f3ef;--card:#fff;--ink:#1c1c1a;--quiet:#5b5b56;--line:#dad8d1;--soft:#f1f0ec;--bad:#b00020;--bad-soft:#fdeeef;--good:#0b5d2a;--good-soft:#ecf6ef}
@media(prefers-color-scheme:dark){:root{--ground:#121314;--card:#1d1e20;--ink:#ecebe6;--quiet:#a9a8a1;--line:#3a3b3e;--soft:#28292c;--bad:#ff8c97;--bad-soft:#391b20;--good:#7fd19b;--good-soft:#17301f}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:48rem;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;align-items:baseline;padding:0 .25rem .6rem;color:var(--quiet);font-weight:600}
header a{padding:.35rem 0;color:inherit;text-decoration:none}
header a:first-child{margin-right:auto;letter-spacing:.02em}
header a:hover,header a[aria-current]{text-decoration:underline;text-underline-offset:.25em}
header nav{display:flex;flex-wrap:wrap;gap:0 1.1rem;font-size:.9rem}
main{padding:1.25rem 1.5rem 1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
h1{margin:0 0 1rem;font-size:1.45rem;line-height:1.3;white-space:pre-wrap}
h1 .count{color:var(--quiet);font-weight:400}
.eyebrow{margin:0 0 .25rem;color:var(--quiet);font-weight:600}
.byline{margin:.75rem 0 0;color:var(--quiet)}
details{margin-top:1.5rem}
summary{padding:.4rem 0;color:var(--quiet);font-weight:600;cursor:pointer}
.details dd,details dd{overflow-wrap:anywhere}
h2{margin:1.75rem 0 .5rem;padding-bottom:.3rem;border-bottom:1px solid var(--line);font-size:1.05rem}
dl{margin:0}
dt{margin-top:.6rem;color:var(--quiet);font-weight:600}
dd{margin:0;padding-left:.75rem;border-left:3px solid var(--line);white-space:pre-wrap}
table{width:100%;border-collapse:collapse}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}
thead th{color:var(--quiet);font-weight:600}
.changes td:last-child{font-weight:600}
time:not([title]){white-space:nowrap}
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
.list li>a{display:block;padding:.1rem 0;font-weight:600}
.reason{display:block}
.search{display:flex;gap:.6rem;margin:0 0 .5rem}
.search input{flex:1 1 12rem;min-width:0}
.search button{flex:0 0 auto;padding:0 1.1rem;min-height:2.75rem}
.pager{display:flex;justify-content:space-between;gap:1rem;margin:1rem 0 0}
.tag{display:inline-block;padding:0 .45rem;border:1px solid var(--line);border-radius:.3rem;background:var(--soft);font-size:.85rem;font-weight:600}
.tag.bad{border-color:var(--bad);color:var(--bad)}
.tag.good{border-color:var(--good);color:var(--good)}
.sample{position:relative}
.sample button{position:absolute;top:.4rem;right:.4rem;min-height:2rem;padding:0 .7rem;border-width:1px;background:var(--card);font-size:.85rem}
.sample pre{padding-right:5rem}
[hidden]{display:none!important}
label{display:block;margin-top:1rem;font-weight:600}
textarea,select,input[type=password],input[type=text],input[type=search],input[type=email],input[type=url],input[type=date]{width:100%;min-height:2.75rem;padding:.6rem;border:1px solid var(--quiet);border-radius:.4rem;background:transparent;color:inherit;font:inherit}
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
.decide{position:sticky;bottom:0;margin:1rem -1.5rem 0;padding:.75rem 1.5rem calc(.75rem + env(safe-area-inset-bottom,0px));background:var(--card);border-top:1px solid var(--line)}
.decide .answers{margin:0}
.decide button{flex:1 1 8rem}
.end{height:1px;view-timeline:--end block;view-timeline-inset:auto 5rem}
.decision{timeline-scope:--end}
.decide .yes{animation:unread linear both;animation-timeline:--end;animation-range:entry 0% entry 100%}
@keyframes unread{0%,99%{background:transparent;border-color:var(--quiet);color:inherit}}
@supports not (animation-timeline:view()){.decide .yes{background:transparent;border-color:var(--quiet);color:inherit}}
figure{margin:1rem 0}
figure img{display:block;max-width:100%;max-height:15rem;border:1px solid var(--line);border-radius:.4rem}
.review .decide .yes{animation:none;background:#0b5d2a;border-color:#0b5d2a;color:#fff}
.review details{margin:0;border-bottom:1px solid var(--line)}
.review summary{display:grid;grid-template-columns:minmax(6rem,26%) 1fr auto;gap:.25rem .9rem;align-items:baseline;min-height:2.75rem;padding:.6rem 0;list-style:none}
.review summary::-webkit-details-marker{display:none}
.review summary b{color:var(--ink);white-space:pre-wrap}
.review summary i{font-style:normal;font-weight:400;text-decoration:underline}
.review details>div{padding:0 0 1rem}
.review .map{display:flex;align-items:center;min-height:2.75rem;margin:0}
.row{display:flex;gap:.75rem;align-items:center;justify-content:space-between}
.row button{flex:0 0 auto;min-height:2.75rem;padding:0 1rem;border-width:1px}
input[type=file]{min-height:2.75rem;max-width:100%;font:inherit}
button:hover{filter:brightness(1.12)}
:focus-visible{outline:3px solid #3b82f6;outline-offset:2px}
a{color:inherit}
@media(min-width:40rem){main>dl{display:grid;grid-template-columns:fit-content(14rem) 1fr;column-gap:1.25rem;row-gap:.45rem}main>dl>dt{margin:0}}
@media(max-width:30rem){body{padding:.6rem}main{padding:1rem}.decide{margin:1rem -1rem 0;padding-inline:1rem}}`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

// One style identified by its hash, no frames, forms to this server only. Pages on which something
// is decided have no script at all.
function policyOf({
  script,
  formTarget,
  installable,
}: Pick<PageOptions, 'script' | 'formTarget' | 'installable'>): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "img-src 'self'",
    ...(script === undefined && installable === undefined
      ? []
      : ["script-src 'self'", "connect-src 'self'"]),
    ...(script === 'push' || installable !== undefined ? ["worker-src 'self'"] : []),
    ...(installable === undefined ? [] : ["manifest-src 'self'"]),
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

const HEADERS = {
  ...SAFE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

export type PageOptions = {
  readonly title: string
  readonly status?: number
  readonly cookie?: string
  /** Loads the pages' script, which no page depends on; `push` for the page that subscribes. */
  readonly script?: 'pages' | 'push'
  /** A page that a phone can install: the paths of its script, its manifest and its icon. */
  readonly installable?: {
    readonly script: string
    readonly manifest: string
    readonly icon: string
  }
  /** The address of the icon, for a page that is also served under the path of a proxy. */
  readonly icon?: string
  /** Makes the browser load the page again after this time. */
  readonly refreshSeconds?: number | undefined
  /** Makes the browser go to another path of this server at once, by itself. */
  readonly goTo?: string
  /**
   * A further source of `form-action`. Browsers compare it also with the redirects that follow a
   * form, so without it a form that ends at another site's address would lead nowhere.
   */
  readonly formTarget?: string | undefined
}

/** The pages that every page leads to. */
const LINKS = [
  ['/approvals', 'Waiting for you'],
  ['/decisions', 'Decisions'],
  ['/notifications', 'Notifications'],
] as const

/** A complete HTML page, for phones too. It works without scripts. */
export function page(
  body: Html,
  { title, status = 200, cookie, script, installable, ...more }: PageOptions,
): Response {
  const { icon = '/favicon.svg', refreshSeconds, goTo, formTarget } = more
  const head =
    installable === undefined
      ? undefined
      : html`<link rel="manifest" href="${installable.manifest}"><link rel="apple-touch-icon" href="${installable.icon}"><meta name="theme-color" content="#0b5d2a"><script type="module" src="${installable.script}"></script>`
  const links = LINKS.map(([path, name]) => html`<a href="${path}">${name}</a>`)
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="${icon}" type="image/svg+xml"><style>${{ markup: STYLE }}</style>${script === undefined ? undefined : html`<script type="module" src="/pages.js"></script>`}${head}</head>
<body><header><a href="/">Surehand</a><nav aria-label="For people">${links}</nav></header>${body}</body></html>
`
  return new Response(whole.markup, {
    status,
    headers: {
      ...HEADERS,
      'content-security-policy': policyOf({
        ...(script && { script }),
        formTarget,
        ...(installable && { installable }),
      }),
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
      ...(refreshSeconds === undefined ? {} : { refresh: String(refreshSeconds) }),
      ...(goTo === undefined ? {} : { refresh: `0; url=${goTo}` }),
    },
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
