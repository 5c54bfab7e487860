import { registerHooks } from 'node:module'

// Preloaded by the thread that reads lessons for the fit: it knows only part of the everyday words.
// They were written for most of the requests, so that weights fitted with all of them trust words
// that new requests do not use.
const FORGOTTEN = 0.5
const OPENING = 'EVERYDAY_WORDS = `'

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/everyday-words.ts')) return loaded
    return { ...loaded, source: forgetEntries(String(loaded.source)) }
  },
})

function forgetEntries(source: string): string {
  const start = source.indexOf(OPENING) + OPENING.length
  const end = source.lastIndexOf('`')
  const kept = source
    .slice(start, end)
    .split(/;\s+|\n/)
    .filter((entry) => shareOf(entry) >= FORGOTTEN)
  return `${source.slice(0, start)}\n${kept.join('\n')}\n${source.slice(end)}`
}

/** A number from 0 to 1 that is the same for an entry in every run. */
function shareOf(entry: string): number {
  let sum = 7
  for (const letter of entry) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return (sum % 1_000) / 1_000
}
