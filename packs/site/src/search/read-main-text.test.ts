import { expect, test } from 'vitest'
import { readMainText } from './read-main-text.ts'

test('the main text without navigation, scripts and what is hidden', () => {
  const html = `<html lang="de"><head><title> Rosen </title><meta name="description" content="Rote Rosen.">
    </head><body><nav>Menu</nav><p>Before</p><main><h1>Red</h1><p>roses<br>and <b>more</b></p>
    <script>let a = "x"</script><div hidden>secret<p>deep</p></div><img src=a> end</main><footer>Foot</footer></body></html>`
  expect(readMainText(html)).toEqual({
    title: 'Rosen',
    description: 'Rote Rosen.',
    language: 'de',
    text: 'Red roses and more end',
    isIndexable: true,
  })
})

test.each([
  ['', ''],
  ['<body>Only a body<nav>x</nav></body>', 'Only a body'],
  ['<main>open <p>and never closed', 'open and never closed'],
  [`<main>${'<div>'.repeat(10_000)}deep`, 'deep'],
])('of broken pages too: %#', (html, text) => {
  expect(readMainText(html).text).toBe(text)
})

test('a page that asks not to be indexed says so', () => {
  expect(readMainText('<meta name="robots" content="NOINDEX, follow">').isIndexable).toBe(false)
})
