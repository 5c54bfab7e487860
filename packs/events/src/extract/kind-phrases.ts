import { KIND } from './event-words.ts'
import type { SourceText, Span } from './source-text.ts'

// table of words at which a noun phrase ends, folded: articles, pronouns, auxiliaries, small verbs
export const FUNCTION_WORD = new Set(
  `ihnen ihm jeder allen mich dich them him lui dit aller voir ecouter venir ver reservez reserver ca cela ceci ce das es this that the a an our my your their his her its this that these those some any no we i you they he she it
  is are was were be been will would shall can could may might must has have had having get got
  getting going go do does did doing book booked schedule scheduled add remind reminder confirm
  confirmed join attend see put note plan planned made make bring and or but so then also just about
  if when where which who what from to at on in by into until till please hey hi next last now not
  for with of meet there here okay ok uh um like only still up out all first free gratis kostenlos gratuit
  kostenlose kostenloser kostenlosen gratuite gratuita gratuito upcoming kommenden kommende
  der die das den dem des ein eine einen einem einer eines unser unsere unseren unserem unserer mein
  meine meinen meinem meiner euer eure euren eurem eurer ihr ihre ihren ihrem ihrer dein deine deinen
  deinem deiner wir ich du sie er es man uns euch mir dir ist sind war wird werden wurde hat habe
  haben hatte kann konnen muss mussen soll will mochte und oder aber so dann auch noch nur um am im an
  auf ab bis bei beim nach vom von zu zum zur in ins dass wenn wo wie mal bitte heute morgen dieser
  diese dieses diesen nachste nachster nachsten kommt kommen findet statt nicht trag eintragen
  laden ladt einladen geht gehen machen macht hiermit sich
  le la les l un une des du de d notre nos votre vos mon ma mes ton ta tes son sa ses leur leurs ce
  cet cette ces nous vous je j tu il elle on ils elles est sont sera seront etait a ai as avons avez
  ont aura auront y et ou mais donc que qu qui ne pas au aux en dans chez sur par avec pour c s se
  pour avec note rappel prochain prochaine faire fait va
  el los las una unos unas nuestro nuestra nuestros nuestras mi mis tu tus su sus vuestro vuestra
  este esta estos estas ese esa nosotros yo es son sera seran fue hay habra tiene tengo tenemos
  tienes y o pero que no se me te nos os lo al del con para por sin desde hasta como cuando donde
  proximo proxima ya muy mas
  il lo gli i uno dello della nostro nostra di da com o os as um uma do da no na het een onze van uw aan wij u bij op voor met naar este esta estes isso nel nella alla alle dal dalle sul na nos nas pelo pela ao aos essa ha gia e ed del dello degli delle dei le la los`.split(
    /\s+/,
  ),
)
// "the review of the budget", "Probe für das Konzert", "atelier de poterie"
export const OF =
  /^(?:of|for|with|w\/|w|about|von|vom|fur|mit|uber|zu|zum|zur|de|du|des|d'|del|dello|della|di|do|da|pour|avec|sur|para|con|com|sobre|a\s+la\s+memoria\s+de)$/u
export const ARTICLE =
  /^(?:the|a|an|our|your|my|der|die|das|den|dem|des|ihr|ihre|ihren|ihrem|ihrer|unser\p{L}*|le|la|les|l'|votre|notre|un|une|el|los|las|una|su|nuestr[oa])$/u
/** Kinds of events that are named with where they go. */
const TRIP =
  /^(?:trip|visit|outing|excursion|tour|walk|hike|ride|flight|train|drive|move|\p{L}*(?:ausflug|fahrt|reise|besuch|tour|wanderung)|sortie|visite|voyage|balade|randonnee|excursion|visita|viaje|salida|ruta|gita|passeio|uitje)$/u
const TO =
  /^(?:to|of|in|ins|nach|zu|zum|zur|au|aux|a|al|en|across|round|through|durch|dans|por|auf)$/u
const MAX_LEFT = 4
const MAX_RIGHT = 7

const ABBREVIATION = /^(?:\d{1,3}|dr|prof|st|mr|mrs|ms|nr|dra|sra?|hr|fr)\.$/u
/** Kinds of events that have a subject. */
const TALK =
  /^(?:webinar|talk|lecture|seminar|workshop|course|class|session|training|discussion|lesson)$/u

/** With its destination, if it is a trip: a place within it is part of it. */
export type KindPhrase = Span & { readonly isTrip?: true }

const KINDS = new RegExp(KIND.source, 'gu')

type Token = Span & { readonly small: string }

/**
 * The noun phrases around words for a kind of event, within a piece of a sentence: "design review
 * for Riverside House", "spectacle de danse de Jade", "Ausflug in den Tierpark".
 */
export function findKindPhrases({ text, folded }: SourceText, piece: Span): readonly KindPhrase[] {
  const tokens = [
    ...folded.slice(piece.start, piece.end).matchAll(/[ldcjs]'(?=\p{L})|[^\s,;!?()"„“”«»]+/gu),
  ].map((match): Token => {
    const start = piece.start + match.index
    const word = ABBREVIATION.test(match[0]) ? match[0] : match[0].replace(/[.:]+$/u, '')
    const small = word.replace(/\.$/u, '').replace(/(?<=\p{L}{2})'s?$/u, '')
    return { start, end: start + word.length, small }
  })
  const kinds = [...folded.slice(piece.start, piece.end).matchAll(KINDS)].map(
    ({ index, 0: word }) => ({
      start: piece.start + index,
      end: piece.start + index + word.length,
    }),
  )
  return kinds.flatMap((kind, nth): KindPhrase[] => {
    const index = tokens.findIndex(({ end }) => end > kind.start)
    const until = tokens.findLastIndex(({ start }) => start < kind.end)
    const token = tokens[index]
    if (token === undefined || (index === until && FUNCTION_WORD.has(token.small))) return []
    if (isGermanVerb(token, tokens[index - 1], text)) return []
    const before = kinds[nth - 1]
    // A kind right behind another one, "birthday party", is part of its phrase.
    if (before !== undefined && isJoined(before, kind, text)) return []
    const first = extendLeft(tokens, index, text)
    const last = extendRight(tokens, until, text)
    const [from, to] = [tokens[first], tokens[last]]
    if (from === undefined || to === undefined) return []
    const isTrip = last > until && TRIP.test(tokens[until]?.small ?? '')
    return [{ start: from.start, end: to.end, ...(isTrip ? { isTrip } : {}) }]
  })
}

// "wir treffen uns", "wir essen um eins"
function isGermanVerb({ start, small }: Token, before: Token | undefined, text: string): boolean {
  return (
    /(?:en|st|t|e)$/u.test(small) &&
    /^\p{Ll}/u.test(text.slice(start)) &&
    /^(?:wir|ihr|ich|uns|sie|du|er|es|man|zu)$/u.test(before?.small ?? '')
  )
}

function isJoined({ end }: Span, { start }: Span, text: string): boolean {
  return /^[^\S\n]*\n?[^\S\n]*$/u.test(text.slice(end, start))
}

function isFunctionWord({ small }: Token): boolean {
  return FUNCTION_WORD.has(small.replace(/'$/u, '')) || !/[\p{L}\p{N}&]/u.test(small)
}

function extendLeft(tokens: readonly Token[], kind: number, text: string): number {
  let first = kind
  while (first > 0 && kind - first < MAX_LEFT) {
    const [before, own] = [tokens[first - 1], tokens[first]]
    if (before === undefined || own === undefined) break
    if (isFunctionWord(before) || !isJoined(before, own, text)) break
    if (/^[ldcjs]'$/u.test(before.small)) break
    first--
  }
  return first
}

/** Words right behind, and complements with their articles; the last word is no function word. */
function extendRight(tokens: readonly Token[], kind: number, text: string): number {
  let last = kind
  const own = tokens[kind]?.small ?? ''
  const [isTrip, isTalk] = [TRIP.test(own), TALK.test(own)]
  for (let index = kind + 1, isOpen = true; index - kind <= MAX_RIGHT; index++) {
    const [before, word, next] = [tokens[index - 1], tokens[index], tokens[index + 1]]
    if (before === undefined || word === undefined || !isJoined(before, word, text)) break
    const isLink =
      OF.test(word.small) ||
      (isTrip && TO.test(word.small)) ||
      (isTalk && word.small === 'on') ||
      (/^(?:and|und|et|y|e|&)$/u.test(word.small) &&
        isCapital(before, text) &&
        isCapital(next, text))
    if (isLink || (ARTICLE.test(word.small) && !isOpen)) {
      isOpen = false
      continue
    }
    if (isFunctionWord(word) || /^\d/.test(word.small) || isVerbAfter(word, next)) break
    last = index
    isOpen = true
  }
  return last
}

// "Lunch and Learn"
function isCapital(token: Token | undefined, text: string): boolean {
  return token !== undefined && /^\p{Lu}/u.test(text.slice(token.start))
}

// table of verbs that end the name of an event, folded
export const VERB =
  /^(?:arrives?|steht|fehlen|fehlt|doivent|deben|coming|starting|ira|iront|irons|iremos|iran|fera|feront|partira|partons|fahren|convocada?|convocata|bezorgd|verwacht|geladen|eingeladen|gefeiert|confirmo|confirmamos|ricordiamo|recordamos|erinnern|herinneren|returns?|meets?|remains?|stays?|leaves?|turns?|kidding|erfolgt|bleibt|findet|fallt|lauft|endet|schliesst|offnet|trifft|dauert|wartet|durera|fermera|restera|reprend|agreed|confirmed|moves|queda|quedo|quedado|agendada|abre|cierra|recibe|espera|inizia|termina|abre|comeca|vindt|begint|bleibt|entfallen|stattfinden|shut|visitaran|takes?|starts?|begins?|happens?|opens?|moves?|moved|held|kicks|runs|comes|needs|bitten|beginnt|startet|steigt|entfallt|verschiebt|kommt|commence|debute|aura|ouvre|demarre|empieza|comienza|arranca|tendra|inicia|recorre|sara|comincia|inizia|sera|begint|starts|si|werd|wordt)$/u

function isVerbAfter({ small }: Token, next: Token | undefined): boolean {
  return VERB.test(small) && (next === undefined || !KIND.test(next.small))
}
