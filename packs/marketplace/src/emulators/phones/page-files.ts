import { readFileSync } from 'node:fs'

type PageFile = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Phones of the WhatsApp emulator</title>
<link rel="stylesheet" href="/phones/phones-page.css">
<script type="module" src="/phones/phones-page.js"></script>
</head>
<body>
<header class="bar">
  <h1 id="title">Phones</h1>
  <p id="connection" role="status">Connecting</p>
  <label class="switch"><input type="checkbox" id="vendors-answer"> Vendors answer by themselves</label>
  <label class="pick">Open a phone <select id="other-phones"><option value="">Choose a phone</option></select></label>
</header>
<main>
<section aria-labelledby="clients-title"><h2 id="clients-title">Clients</h2><div id="clients" class="phones"></div></section>
<section aria-labelledby="vendors-title"><h2 id="vendors-title">Vendors</h2><div id="vendors" class="phones"></div></section>
</main>
<noscript>This page needs JavaScript.</noscript>
<footer><p>An emulator of WhatsApp on this computer: no message leaves it. Vendors that answer by themselves are scripted.</p></footer>
</body>
</html>
`

const TYPES = {
  'phones-page.js': 'text/javascript',
  'message-elements.js': 'text/javascript',
  'phones-page.css': 'text/css',
} as const

/** The files beside the page itself. They are read from this folder. */
export const PAGE_FILES = Object.keys(TYPES) as readonly (keyof typeof TYPES)[]

/** A file of the page with the phones, with its headers. */
export function pageFile(file: 'page' | keyof typeof TYPES): PageFile {
  const type = file === 'page' ? 'text/html' : TYPES[file]
  return {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    body: file === 'page' ? PAGE : readFileSync(new URL(file, import.meta.url), 'utf8'),
  }
}
