import { escapeHtml } from '../flyers/markup.ts'
import type { PageSource } from './page.ts'

/** A whole page: menu, article, related events and footer. */
export function page(
  { facts, shown, site }: PageSource,
  { head, main }: { head: string; main: string },
): string {
  const menu = ['Home', 'Calendar', 'Blog', 'Newsletter', 'Contact'].map(
    (item) => `<li><a href="/${item.toLowerCase()}">${item}</a></li>`,
  )
  return `<!doctype html>
<html lang="${facts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<script>window.dataLayer = window.dataLayer || []</script>
<style>body { margin: 0 auto; max-width: 60rem }</style>
</head>
<body>
<header><a href="/">${escapeHtml(site)}</a><nav><ul>${menu.join('')}</ul></nav></header>
<main>
${main}
</main>
<footer>
${shown.notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
<p>© ${new Date(facts.now).getUTCFullYear()} ${escapeHtml(site)}</p>
</footer>
</body>
</html>
`
}

/** The lines as paragraphs below a heading. */
export function article({ shown }: PageSource): string {
  const lines = [
    shown.tagline,
    [shown.dayLine, shown.timeLine].filter(Boolean).join(', '),
    `${shown.venue}, ${shown.address}`,
    shown.priceLine,
  ]
  return `<article>\n<h1>${escapeHtml(shown.title)}</h1>\n${lines.flatMap((text) => (text ? [`<p>${escapeHtml(text)}</p>`] : [])).join('\n')}\n</article>`
}

export function meta(property: string, content: string | undefined): string {
  return content === undefined
    ? ''
    : `<meta property="${property}" content="${escapeHtml(content)}">`
}
