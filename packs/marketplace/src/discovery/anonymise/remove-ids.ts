/** A text without the pieces that a rule found, and how many there were. */
export type Removal = { readonly text: string; readonly count: number }

const EMAIL =
  /[\p{L}\p{N}._%+-]{1,64}\s?(?:@|\(at\)|\[at\]| at (?=[a-z0-9-]+ dot ))\s?[\p{L}\p{N}-]{1,60}(?:\s?(?:\.|\(dot\)|\[dot\]| dot )\s?[\p{L}\p{N}-]{2,40}){1,5}/giu
const HANDLE = /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.]{2,}/gu
const LINK =
  /\b(?:https?:\/\/|www\.)\S+|\b(?:wa\.me|t\.me|fb\.com|instagram\.com|facebook\.com)\/\S+/gi
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** Ids as systems write them: req_01J8…, conv-3f2a91, wamid.HBgM… */
const SYSTEM_ID =
  /\b(?:wamid\.[A-Za-z0-9+/=_-]+|(?:req|request|conv|conversation|post|call|cons|consent|job|vendor|ven|msg|client|user|usr|order|ord|ocr|feed)[_:-](?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{4,}|[0-9A-HJKMNP-TV-Z]{26}|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,})\b/gi
// "*0788123456*" is a phone number in bold: half of it as a code would leave the other half.
const MONEY_CODE = /\*\d{2,4}(?!\d)(?:\*[\d*]*)?#?/g
const PLATE =
  /\bR[A-I][A-Z]\s?\d{3}\s?[A-Z]\b|\bU[A-Z]{2}\s?\d{3}\s?[A-Z]\b|\bK[A-D][A-Z]\s?\d{3}\s?[A-Z]\b|\bT\s?\d{3}\s?[A-Z]{3}\b/g

const LABEL =
  "(?:national id|id card|id|identity(?: card)?|indangamuntu|irangamuntu|nid|passport|passeport|pasiporo|pasipoti|mutuelle|mituweli|insurance|assurance|ubwishingizi|bima|policy|police|membership|member|affiliation|matricule|patient|dossier|file|ref(?:erence)?|tin|account|compte|konti|akaunti|kitambulisho|card|carte|ikarita|kadi|licen[cs]e|permis|rssb|rama|mmi|momo(?: code| pay)?|code|pin|carte d'identite|carte d'identité)"
const NUMBER_WORD = String.raw`(?:number|numero|numéro|num|no|nr|nimero|nomero|nambari|namba|yanjye|yangu|yacu|is|ni|est|ya|wa|#|:|\.|°|º|n°|=|-)`
const LABELLED = new RegExp(
  String.raw`(?<![\p{L}])${LABEL}(?![\p{L}])(?:[\s,]{0,2}${NUMBER_WORD}){0,4}[\s:#]{0,3}((?=[A-Z0-9/ -]*\d)[A-Z]{0,5}[ /-]?\d[\dA-Z/-]{2,20}(?:[ -]\d{1,7}){0,6}[A-Z]?)(?![\p{L}\p{N}])`,
  'giu',
)

// Digits with the usual separators; O and l stand for digits only beside others.
const DIGIT_RUN =
  /(?<![\p{L}\p{N}.,])[+(]{0,2}\s?(?:\d|[Oo](?=\d{2}))(?:[\s().\-/_·]{0,2}[\dOo](?![\p{L}])){6,40}(?![\p{L}])/gu
const MONEY_AFTER =
  /^\s?(?:frw|rwf|francs?|frs?|f\b|ksh|kes|ugx|tzs|usd|\$|€|eur|amafaranga|shilingi|shillings?|fbu)/i
const MONEY_BEFORE =
  /(?:frw|rwf|ksh|kes|ugx|tzs|usd|\$|€|price|prix|budget|igiciro|bei)\s?[:=]?\s?$/i
/** 120 000 or 1,200,000: an amount. 0788 and 250 begin no amount. */
const GROUPED_AMOUNT = /^[1-9]\d{0,2}(?:[ .,]\d{3}){1,2}$/
const MIXED_CODE =
  /(?<![A-Za-z0-9])(?=[A-Z0-9-]{0,40}[A-Z])(?=(?:[A-Z-]{0,20}\d){5})[A-Z0-9][A-Z0-9-]{5,40}(?![A-Za-z0-9])/g
const SPOKEN_DIGIT =
  '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|un|deux|trois|quatre|cinq|sept|huit|neuf|zeru|rimwe|kabiri|gatatu|kane|gatanu|gatandatu|karindwi|umunani|icyenda|sifuri|moja|mbili|tatu|nne|tano|sita|saba|nane|tisa)'
const SPOKEN = new RegExp(
  String.raw`(?<![\p{L}])(?:double\s+)?${SPOKEN_DIGIT}(?:[\s,-]+(?:double\s+|and\s+|et\s+|na\s+)?${SPOKEN_DIGIT}){6,24}(?![\p{L}])`,
  'giu',
)
// Stands for what was removed until the words that introduced it are removed too. (A private-use
// character: no text on a phone contains it.)
const GONE = '\uE000'
const CUES = new Set(
  'phone mobile cell contact whatsapp tel tél telephone téléphone telefone terefone telefoni simu nimero nomero numero numéro nambari namba number num e-mail email mail courriel imeri sms id call text reach appelez appelez-moi appelle appelle-moi contactez contactez-moi mumpamagare mpamagara muhamagare nipigie piga wasiliana nami indangamuntu kitambulisho ref'.split(
    ' ',
  ),
)
const FILLERS = new Set(
  'my our mon ma notre the on at to au sur kuri kwa this ce le is est ni no n° me moi yanjye yangu yacu address adresse barua pepe or ou cyangwa au'.split(
    ' ',
  ),
)

/** Removes phone numbers, e-mail addresses, links, handles, plates and ids. */
export function removeIds(text: string): Removal {
  let count = 0
  const remove = () => {
    count += 1
    return GONE
  }
  const marked = [EMAIL, LINK, HANDLE, UUID, SYSTEM_ID, MONEY_CODE, PLATE, LABELLED, SPOKEN].reduce(
    (left, pattern) => left.replace(pattern, remove),
    text,
  )
  const withoutRuns = marked.replace(DIGIT_RUN, (run, ...rest: readonly unknown[]) => {
    const index = rest.find((value) => typeof value === 'number') as number
    return isNumberOfSomeone(run, marked, index) ? remove() : run
  })
  const withoutCodes = withoutRuns.replace(MIXED_CODE, remove)
  return { text: removeCues(withoutCodes), count }
}

// "my phone is", "tel:": words that only introduce what was removed.
function removeCues(text: string): string {
  const pieces = text.split(GONE)
  const last = pieces.pop() ?? ''
  return [...pieces.map(removeTrailingCue), last].join(' ')
}

function removeTrailingCue(piece: string): string {
  let left = piece
  let rest = piece
  for (;;) {
    const word = /([\p{L}°-]{1,20})[\s:.,(-]{0,4}$/u.exec(rest.slice(-28))
    const key = word?.[1]?.toLowerCase() ?? ''
    if (word === null || (!CUES.has(key) && !FILLERS.has(key))) return left
    rest = rest.slice(0, rest.length - word[0].length)
    if (CUES.has(key)) left = rest
    else if (left === rest + word[0] && rest !== piece && left !== piece) left = rest
  }
}

function isNumberOfSomeone(run: string, text: string, index: number): boolean {
  const digits = run.replace(/\D/g, '').length
  const after = text.slice(index + run.length)
  const isMoney =
    (MONEY_AFTER.test(after) || MONEY_BEFORE.test(text.slice(0, index))) &&
    !/^[+0]/.test(run.trim()) &&
    digits <= 8
  if (isMoney) return false
  return digits >= 9 || !GROUPED_AMOUNT.test(run.trim())
}
