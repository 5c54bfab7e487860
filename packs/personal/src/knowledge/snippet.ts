const AROUND = 80
const LONGEST = 240

/** The part of a text where the words stand that were searched for; its beginning where none of them does. */
export function snippetOf(body: string, query: string): string {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
  const at = words.map((word) => body.search(new RegExp(word, 'iu'))).filter((index) => index >= 0)
  const from = at.length === 0 ? 0 : Math.max(0, Math.min(...at) - AROUND)
  const part = whole(body.slice(from, from + LONGEST))
    .replace(/\s+/g, ' ')
    .trim()
  return `${from > 0 ? '…' : ''}${part}${from + LONGEST < body.length ? '…' : ''}`
}

// half a character is no text
function whole(part: string): string {
  return part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}
