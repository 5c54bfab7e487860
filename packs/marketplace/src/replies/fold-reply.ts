const ABBREVIATIONS: Readonly<Record<string, string>> = {
  bjr: 'bonjour',
  bsr: 'bonsoir',
  slt: 'salut',
  dsl: 'desole',
  ns: 'nous',
  vs: 'vous',
  pr: 'pour',
  pb: 'probleme',
  jai: "j'ai",
  jen: "j'en",
  u: 'you',
  ur: 'your',
  pls: 'please',
  plz: 'please',
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  tomoro: 'tomorrow',
  tomorow: 'tomorrow',
  tommorow: 'tomorrow',
  avail: 'available',
  avl: 'available',
  availble: 'available',
  avalable: 'available',
  availabe: 'available',
  disponnible: 'disponible',
  oos: 'out of stock',
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  cant: "can't",
  isnt: "isn't",
  wont: "won't",
  ntbwo: 'ntabwo',
  ntago: 'ntabwo',
  havent: "haven't",
  its: "it's",
}

const YES_SIGNS = /[\u{1F44D}\u{1F44C}\u{2705}\u{2714}]\u{FE0F}?[\u{1F3FB}-\u{1F3FF}]?/gu
const NO_SIGNS = /[\u{1F44E}\u{274C}\u{1F6AB}]\u{FE0F}?[\u{1F3FB}-\u{1F3FF}]?/gu

/**
 * A reply in lower case, without accents, typographic quotes, invisible characters and drawn-out
 * letters ("nooo"), with usual abbreviations written out: the form in which it is searched.
 */
export function foldReply(text: string): string {
  return (
    text
      .replace(YES_SIGNS, ' yes ')
      .replace(NO_SIGNS, ' no ')
      // "6.8M" is money; "6.8m" and "3Mx4M" are metres.
      .replace(
        /(?<![xX\u00D7\d.,])(\d{1,3}(?:[.,]\d{1,2})?) ?M(?![\p{L}\d]| ?[xX\u00D7] ?\d)/gu,
        '$1 million',
      )
      .normalize('NFKD')
      .replace(/[\p{M}\u200B-\u200D\uFEFF]/gu, '')
      .toLowerCase()
      .replace(/[’‘`´]/g, "'")
      .replace(/[–—]/g, '-')
      .replace(/([a-z])\1{2,}/g, '$1')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n+ ?/g, '\n')
      // Kinyarwanda's hundreds are also written in one word, and without "na" behind thousands.
      .replace(/\b(\d{1,3}) (i?bihumbi)\b(?! \d)/g, '$2 $1')
      .replace(/\bmagan(a(?:biri|tatu|ne|tanu|tandatu|rindwi))\b/g, 'magana $1')
      .replace(/(bihumbi [a-z]+|igihumbi) magana\b/g, '$1 na magana')
      .replace(/\bya(?= (?:en |encore |toujours |du |des |de |pas|plus|rien|aucun))/g, 'y a')
      .replace(/[a-z]+(?:'[a-z]+)?/g, (word) => ABBREVIATIONS[word] ?? word)
      .trim()
  )
}

/** The text with its matches blanked out, so that positions stay. */
export function maskMatches(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => '\u00A4'.repeat(match.length))
}
