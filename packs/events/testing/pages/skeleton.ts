import { escaped } from '../flyers/markup.ts'
import type { PageSource } from './page.ts'

/** A whole page as sites serve it: menu, what it is about, what else there is, the foot. */
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
<header><a href="/">${escaped(site)}</a><nav><ul>${menu.join('')}</ul></nav></header>
<main>
${main}
</main>
<footer>
${shown.notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
<p>© ${new Date(facts.now).getUTCFullYear()} ${escaped(site)}</p>
</footer>
</body>
</html>
`
}

/** The lines as paragraphs under their heading. */
export function article({ shown }: PageSource): string {
  const lines = [
    shown.tagline,
    [shown.dayLine, shown.timeLine].filter(Boolean).join(', '),
    `${shown.venue}, ${shown.address}`,
    shown.priceLine,
  ]
  return `<article>\n<h1>${escaped(shown.title)}</h1>\n${lines.flatMap((text) => (text ? [`<p>${escaped(text)}</p>`] : [])).join('\n')}\n</article>`
}

export function meta(property: string, content: string | undefined): string {
  return content === undefined ? '' : `<meta property="${property}" content="${escaped(content)}">`
}
