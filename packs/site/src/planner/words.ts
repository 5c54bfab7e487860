// table
import type { Language, PartOfDay } from './intent.ts'

/** The words of one language that the planner understands. All texts are folded to small letters. */
export type Words = {
  readonly clause: RegExp
  readonly search: RegExp
  readonly add: RegExp
  readonly set: RegExp
  readonly remove: RegExp
  readonly coupon: RegExp
  readonly cart: RegExp
  readonly checkout: RegExp
  readonly book: RegExp
  readonly cancel: RegExp
  readonly person: RegExp
  readonly help: RegExp
  readonly suggest: RegExp
  readonly home: RegExp
  readonly blog: RegExp
  readonly helpPage: RegExp
  readonly under: RegExp
  readonly ordinals: Readonly<Record<string, number>>
  readonly numbers: Readonly<Record<string, number>>
  readonly parts: readonly (readonly [RegExp, PartOfDay])[]
  readonly filler: RegExp
  readonly card: RegExp
  /** Words by which the language is recognized. */
  readonly typical: RegExp
}

const EN: Words = {
  clause:
    /(?:,|;|\.(?=\s|$))\s*(?:and\s+)?(?:then\s+)?|\s+and then\s+|\s+then\s+|\s+and\s+(?=(?:add|check|order|buy|book|put|apply|show|remove)\b)/,
  search:
    /\b(?:find|search(?: for)?|look(?:ing)? for|show(?: me)?|do you have|have you got|i need|i want|i would like|i'd like)\b/,
  add: /\b(?:add|put|take|buy|i(?:'ll| will) take|give me)\b/,
  set: /\b(?:make (?:it|that)|change (?:it |that |the quantity )?to|set (?:it |the quantity )?to)\s+(\w+)/,
  remove: /\b(?:remove|delete|take (?:it|that|them) out)\b/,
  coupon: /\b(?:coupon|voucher|discount code|code)\s+(?:code\s+)?([a-z0-9][a-z0-9_-]{2,})/,
  cart: /\b(?:my cart|the cart|shopping cart|basket|what(?:'s| is) in)\b/,
  checkout:
    /\b(?:check ?out|place (?:the |my )?order|order (?:it|them|that|now)|pay(?: now)?|complete (?:the )?order)\b/,
  book: /\b(?:book|reserve|make an appointment|appointment|schedule)\b/,
  cancel: /\bcancel\b.*\b(?:booking|appointment|reservation|fitting|it)\b/,
  person:
    /\b(?:human|real person|a person|someone (?:from|at)|talk to (?:a|an|some)|employee|staff|operator)\b/,
  help: /^(?:help|what can you do|how does this work)\b/,
  suggest: /\b(?:suggest|recommend|what else|inspire me|ideas?)\b/,
  home: /\b(?:home ?page|start page|go home)\b/,
  blog: /\b(?:blog|articles|journal)\b/,
  helpPage: /\b(?:help page|delivery|shipping|returns?|faq|opening hours)\b/,
  under:
    /\b(?:under|below|less than|up to|at most|max(?:imum)?|cheaper than|for less than)\s+(?:€|\$|£|eur\s*)?(\d+(?:[.,]\d{1,2})?)\s*(?:€|\$|£|eur(?:os?)?|dollars?|pounds?)?/,
  ordinals: { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, '1st': 1, '2nd': 2, '3rd': 3 },
  numbers: {
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    'a dozen': 12,
    dozen: 12,
    'a couple of': 2,
    both: 2,
  },
  parts: [
    [/\bmorning\b/, 'morning'],
    [/\bafternoon\b/, 'afternoon'],
    [/\b(?:evening|tonight)\b/, 'evening'],
  ],
  filler:
    /\b(?:please|me|some|any|for me|to (?:the|my) cart|in(?:to)? (?:the|my) cart|of them|of it|of those|the|a|an|it|them|that|this|one|on|in|at|for|with|want|to|i|you|could|can|would|like)\b/g,
  card: /\b(?:with (?:a |the )?(?:card|note|message)|card saying|note saying)\s*[:,]?\s*["“']?(.+?)["”']?$/,
  typical: /\b(?:the|and|find|please|book|add|what|is|my|for|under|show|check)\b/g,
}

const DE: Words = {
  clause:
    /(?:,|;|\.(?=\s|$))\s*(?:und\s+)?(?:dann\s+)?|\s+und dann\s+|\s+dann\s+|\s+und\s+(?=(?:leg|pack|bestell|kauf|buch|zeig|entfern|geh|nimm)\w*\b)/,
  search:
    /\b(?:finde?|such(?:e|en)?(?: nach)?|zeig(?:e)?(?: mir)?|habt ihr|haben sie|gibt es|ich (?:brauche|suche|mochte|hatte gern(?:e)?|will))\b/,
  add: /\b(?:leg(?:e|en)?|pack(?:e|en)?|nimm|kauf(?:e|en)?|in den (?:warenkorb|korb)|ich nehme|hinzu(?:fugen)?|fuge?)\b/,
  set: /\b(?:mach(?:e)? (?:es |daraus |davon )?|ander(?:e|n)? (?:es |die menge )?(?:auf|zu)|auf)\s*(\w+)\s*(?:daraus|andern|stuck)?$/,
  remove: /\b(?:entfern(?:e|en)?|losch(?:e|en)?|nimm (?:es|das|sie) (?:wieder )?(?:raus|heraus))\b/,
  coupon: /\b(?:gutschein(?:code)?|rabattcode|code)\s+([a-z0-9][a-z0-9_-]{2,})/,
  cart: /\b(?:mein(?:en)? (?:waren)?korb|den warenkorb|was ist im)\b/,
  checkout:
    /\b(?:zur kasse|kasse|bestell(?:e|en)?(?: (?:es|das|sie|jetzt))?|bezahl(?:e|en)?|abschlie(?:ss|ß)en)\b/,
  book: /\b(?:buch(?:e|en)?|reservier(?:e|en)?|termin|vereinbar(?:e|en)?)\b/,
  cancel: /\b(?:stornier(?:e|en)?|(?:termin|buchung) absagen|sag(?:e)? .*ab)\b/,
  person:
    /\b(?:mensch(?:en)?|mitarbeiter(?:in)?|jemand(?:en|em)? (?:vom|aus|sprechen)|personal|berater(?:in)?)\b/,
  help: /^(?:hilfe|was kannst du|wie funktioniert)\b/,
  suggest: /\b(?:empfiehl|empfehl(?:e|en|ung)|vorschlag|was noch|ideen?)\b/,
  home: /\b(?:startseite|nach hause)\b/,
  blog: /\b(?:blog|artikel|journal)\b/,
  helpPage: /\b(?:hilfeseite|lieferung|versand|ruckgabe|faq|offnungszeiten)\b/,
  under:
    /\b(?:unter|hochstens|maximal|bis(?: zu)?|weniger als|billiger als)\s+(?:€|eur\s*)?(\d+(?:[.,]\d{1,2})?)\s*(?:€|eur(?:o)?)?/,
  ordinals: {
    erste: 1,
    ersten: 1,
    erstes: 1,
    zweite: 2,
    zweiten: 2,
    zweites: 2,
    dritte: 3,
    dritten: 3,
    drittes: 3,
    vierte: 4,
    vierten: 4,
  },
  numbers: {
    ein: 1,
    eine: 1,
    einen: 1,
    eins: 1,
    zwei: 2,
    zwo: 2,
    drei: 3,
    vier: 4,
    funf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
    elf: 11,
    zwolf: 12,
    dutzend: 12,
    beide: 2,
  },
  parts: [
    [/\b(?:vormittag|morgens|fruh)s?\b/, 'morning'],
    [/\bnachmittags?\b/, 'afternoon'],
    [/\babends?\b/, 'evening'],
  ],
  filler:
    /\b(?:bitte|mir|mich|ein|eine|einen|der|die|das|den|dem|es|sie|davon|in den (?:waren)?korb|hinzu|im|am|um|fur|mit|zu|ich|du|kannst|konntest|mochte|mal|nach)\b/g,
  card: /\b(?:mit (?:einer |der )?(?:karte|nachricht)|karte mit)\s*[:,]?\s*["„“']?(.+?)["“”']?$/,
  typical:
    /\b(?:und|der|die|das|bitte|ich|ein|eine|einen|mir|zur|unter|fur|suche|finde|zeig|buche|termin|warenkorb|am)\b/g,
}

export const WORDS: Readonly<Record<Language, Words>> = { en: EN, de: DE }
