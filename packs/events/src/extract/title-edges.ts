import { fold } from '@surehand/dates'
import { KIND } from './event-words.ts'
import type { Cue } from './filler.ts'
import { FUNCTION_WORD, VERB } from './kind-phrases.ts'
import { overlaps, type SourceText, type Span } from './source-text.ts'

const LINE_START = /(?:^|\n)[^\p{L}\p{N}\n]*$/u
const LINE_END = /^[^\p{L}\p{N}\n]*(?:\n|$)/u
const POSSESSIVE =
  /(?<!\p{L})(?:your|our|my|ihre?[nmrs]?|unsere?[nmrs]?|meine?[nmrs]?|votre|notre|nos|mon|ma|su|nuestr[oa]|mi|nossa|nosso|uw|onze?)\s$/u
const DEFINITE =
  /(?<!\p{L})(?:(?:the|der|die|das|den|dem|le|la|les|el|los|las|il|lo|het|de|o)\s|l')$/u
const INDEFINITE = /(?<!\p{L})(?:a|an|ein|eine|einen|einem|einer|un|une|una|um|uma|een)\s$/u
const TO_EVENT =
  /(?<!\p{L})(?:to|zu|zum|zur|au|aux|al|a\s+la|a\s+l'|per|for|fur|pour|para|about)\s(?:(?:the|our|a|an|der|die|das|la|le|el|un|une|una)\s)?$/u
const OF_BEFORE =
  /(?<!\p{L})(?:(?:of|von|vom|des|de|du|della|del|do|da|van)\s(?:(?:the|la|le|les|l'|el|los)\s?)?|d')$/u
const PLACE_BEFORE =
  /(?<!\p{L})(?:at|in|im|am|bei|beim|chez|en|dans|au|presso|no|na|from|ab|bij)\s(?:(?:the|der|dem|la|le|el|het|de)\s)?$/u
const WITH_BEFORE = /(?<!\p{L})(?:with|mit|avec|con|com|met|by|par|por|and|und|et|y|e|en|&)\s$/u
const AFTER_FIELD =
  /(?<!\p{L})(?:ref(?:erence)?|code|pnr|booking|order|passenger|traveller|name|patient|guest|seat|gate|vehicle|leader|guide|leitung|host|present|tel|phone|price|preis|prix|precio|importe|tickets?|rsvp|contact|kontakt|info|bring|einlass|doors|where|venue|ort|lieu|lugar|when|date|datum|meeting\s+point|treffpunkt|domicilio|localizador|codigo|dossier|start|from|von|de|to|an|cadeautip)\s?[:.]\s*$/u
const VERB_BEHIND =
  /^\s(?:will|is|are|has|have|takes|starts|begins|returns|moves|meets|runs|findet|wird|ist|beginnt|startet|steigt|erfolgt|aura|a\s+lieu|est|se\s|sera|commence|tendra|tiene|es\s|queda|quedo|ha\s|comienza|empieza|si\s|e\s+fissat|begint|vindt|van\s+start)(?!\p{L})/u
const OF_BEHIND =
  /^\s(?:of|for|von|vom|fur|zum|zur|der|des|de|du|d'|del|della|di|do|da|van|pour|para|about|on\s+the|uber|zu)(?!\p{L})/u
const WITH_BEHIND = /^\s(?:with|mit|avec|con|com|w\/|met)(?!\p{L})/u
const PLACE_BEHIND =
  /^,?\s(?:at|in|im|bei|beim|chez|en|dans|au|auf|presso|da|no|na|@|bij)(?!\p{L})/u

// "Next outing: snowshoes", "Reminder: …", "Votre prochain rendez-vous : …"
const ANNOUNCED =
  /(?<!\p{L})(?:next|upcoming|coming\s+up|prochaine?s?|proxim[oa]s?|prossim[oa]|nachste[rns]?|volgende|reminder|recordatorio|rappel|erinnerung|promemoria|lembrete|herinnering|wichtig|important[ea]?|news|neu|new|save\s+the\s+date|aviso|avis|notice|appointment|appt|appuntamento|termin|cita|turno|rdv|rendez-vous|slot|reservation|reserva|booked|recall|heute|tonight|also|ausserdem|last\s+call)(?!\p{L})[^:.!?\n]{0,24}:\s*$/u
// "the trip to the Heritage Park", "excursión al Museo"
const AFTER_TRIP =
  /(?:trip|visit|outing|excursion|tour|sortie|visite|ausflug|\p{L}*fahrt|besuch|visita|salida|voyage|viaje)\s(?:to|of|al?|a\s+la|au|aux|in|ins|nach|zum|zur|en)\s(?:(?:the|la|den|die|das|l')\s?)?$/u
// "Panto's cancelled", "the book club has been postponed"
const CANCELLED =
  /^(?:'s|:)?\s*(?:[–—(-]\s*)?(?:(?:is|are|was|has\s+been|ist|sind|wurde|est|esta|ha\s+sido)\s+)?(?:cancell?ed|sold\s+out|full(?=\s*(?:\n|$|\)))|waitlist|ausverkauft|ausgebucht|complete?(?=\s*(?:\n|$|\)))|agotad[oa]s?|behind\s+us|postponed|called\s+off|over|abgesagt|entfallt|fallt\s+aus|war|annulee?|suspendid[oa]|aplazad[oa]|cancelad[oa]|was|were|went|got)(?!\p{L})/u
const STREET_FIRST = /^(?:calle|rue|via|viale|rua|avenida|avenue|plaza|carrer|paseo)\s/u
// "Home > Events > Workshops"
const PATH = /\p{L}\s(?:›|>|»|→)\s\p{L}/u

const NO_BEFORE =
  /(?<!\p{L})(?:no|not|without|kein[ern]?|ohne|pas\s+de|sans|sin|senza|sem|geen|zonder)\s$/u
const CAPITAL_ARTICLE =
  /(?:^|\s)(?:The|Der|Die|Das|Le|La|Les|El|Los|Las|Il|THE|DER|DIE|DAS|LE|LA|LES|EL|LOS|LAS|IL)\s$|(?:^|\s)L['’]$/u
/** How far a date may be from the title that it belongs to. */
const DATE_BEFORE = 12
const DATE_BEHIND = 25

export type EdgeContext = {
  readonly source: SourceText
  readonly taken: readonly Span[]
  readonly cues: readonly Cue[]
}

type Tests = readonly (readonly [string, boolean])[]

/** What stands right before and behind a candidate. */
export function describeEdges(span: Span, context: EdgeContext): string[] {
  const before = wordsBefore(span, context.source)
  const behind = wordsBehind(span, context.source)
  const isDated = isBeforeDate(span, context)
  const tests: Tests = [
    ...testsBefore(span, before, context),
    ...testsBehind(span, behind, context),
    ['before date', isDated],
    ['before number', /^\s(?:n[°º.]\s?)?\d/u.test(behind) && !isDated],
    ['whole line', LINE_START.test(before) && LINE_END.test(behind)],
    ['after colon, whole', /:\s*$/.test(before) && LINE_END.test(behind)],
    ['before colon and date', /^\s?:/.test(behind) && isDated],
    ['before its name', /^\s?["„“«]/u.test(behind) || (/^:\s*\S/.test(behind) && !isDated)],
    ['in a path', isPath(span, context.source)],
    ['street first', STREET_FIRST.test(context.source.folded.slice(span.start, span.end))],
    ['has date', context.taken.some((one) => overlaps(one, span))],
  ]
  return tests.flatMap(([name, holds]) => (holds ? [name] : []))
}

/** Whether the words are part of the path of a web page, as in "Home > Events > Workshops". */
function isPath({ start, end }: Span, { lines, text }: SourceText): boolean {
  const line = lines.find((one) => start >= one.start && start <= one.end)
  if (line === undefined || !PATH.test(line.text)) return false
  return /›|>|»/u.test(text.slice(line.start, line.end)) && end <= line.end
}

// A line that begins with a capital does not go on a sentence.
function wordsBefore({ start }: Span, { text, folded }: SourceText): string {
  const before = folded.slice(Math.max(0, start - 40), start)
  return /\n\s*$/.test(before) && !/^\p{Ll}/u.test(text.charAt(start)) ? '\n' : before
}

function wordsBehind({ end }: Span, { text, folded }: SourceText): string {
  const line = /^[^\n]*(?=\n\s*[^\p{Ll}\s])/u.exec(text.slice(end, end + 40))?.[0]
  return line === undefined
    ? folded.slice(end, end + 40)
    : `${folded.slice(end, end + line.length)}\n`
}

function testsBefore(
  { start }: Span,
  before: string,
  { source: { text, folded }, taken, cues }: EdgeContext,
): Tests {
  const isLed = cues.some(
    ({ role, end }) =>
      role === 'before' &&
      start >= end &&
      start - end < 12 &&
      /^\s*(?:\p{L}{1,6}\s|l')?$/u.test(folded.slice(end, start)),
  )
  const word = /(\p{L}[\p{L}'’-]*)[^\S\n]$/u.exec(text.slice(Math.max(0, start - 25), start))?.[1]
  const own = asContent(word, start - 2, taken)
  return [
    ['after cue', isLed],
    ['after announcement', ANNOUNCED.test(before)],
    ['after trip', AFTER_TRIP.test(before)],
    ['line start', LINE_START.test(before)],
    ['after possessive', POSSESSIVE.test(before)],
    ['after definite', DEFINITE.test(before)],
    ['after indefinite', INDEFINITE.test(before)],
    ['after capital article', CAPITAL_ARTICLE.test(text.slice(Math.max(0, start - 6), start))],
    ['after to', TO_EVENT.test(before)],
    ['after of', OF_BEFORE.test(before)],
    ['after no', NO_BEFORE.test(before)],
    ['after place word', PLACE_BEFORE.test(before)],
    ['after with', WITH_BEFORE.test(before)],
    ['after colon', /:\s*$/.test(before)],
    ['after field label', AFTER_FIELD.test(before)],
    ['after quote', /["„“«]\s?$/u.test(before)],
    ['after bracket', /\(\s?$/.test(before)],
    ['after dash', /\s[–—|·•-]\s$/u.test(before)],
    ['after sentence', /[.!?]\s+$/.test(before)],
    ['after comma', /,\s$/.test(before)],
    ['after word', /^\p{Ll}/u.test(own)],
    ['after name', /^\p{Lu}/u.test(own)],
    ['after date', taken.some(({ end }) => isGap(text, end, start))],
  ]
}

function testsBehind(
  { end }: Span,
  behind: string,
  { source: { text, folded }, taken, cues }: EdgeContext,
): Tests {
  const word = /^[^\S\n](\p{L}[\p{L}'’-]*)/u.exec(text.slice(end, end + 25))?.[1]
  const own = asContent(word, end + 1, taken)
  return [
    [
      'before cue',
      cues.some(({ role, start }) => role === 'after' && start >= end && start - end < 3),
    ],
    ['before cancelled', CANCELLED.test(behind)],
    ['line end', LINE_END.test(behind)],
    ['before verb', VERB_BEHIND.test(behind)],
    ['before of', OF_BEHIND.test(behind)],
    ['before with', WITH_BEHIND.test(behind)],
    ['before place word', PLACE_BEHIND.test(behind)],
    ['before and', /^\s(?:&|and|und|et|y|e|en|\+)\s/u.test(behind)],
    ['before numeral', /^\s\d{1,3}(?!\d)/u.test(behind)],
    ['before colon', /^\s?:/.test(behind)],
    [
      'kind last, before quote',
      /^\s?["„“«]/u.test(behind) &&
        KIND.test(/\p{L}+$/u.exec(folded.slice(Math.max(0, end - 25), end))?.[0] ?? ''),
    ],
    ['before quote', /^\s?["„“«]/u.test(behind)],
    ['before bracket', /^\s\(/.test(behind)],
    ['before dash', /^\s[–—|·•-]\s/u.test(behind)],
    ['before sentence end', /^[.!?]+(?:\s|$)/.test(behind)],
    ['before comma', /^,/.test(behind)],
    ['before word', /^\p{Ll}/u.test(own)],
    ['before name', /^\p{Lu}/u.test(own)],
  ]
}

/** A neighbouring word; none if it is a function word, a verb or a date, which end a phrase. */
function asContent(word: string | undefined, at: number, taken: readonly Span[]): string {
  return word === undefined ||
    FUNCTION_WORD.has(fold(word)) ||
    VERB.test(fold(word)) ||
    taken.some(({ start, end }) => at >= start && at < end)
    ? ''
    : word
}

function isGap(text: string, from: number, to: number): boolean {
  return to >= from && to - from < DATE_BEFORE && /^[\s,:;–—|·•.()-]*$/u.test(text.slice(from, to))
}

function isBeforeDate({ end }: Span, { source: { folded }, taken }: EdgeContext): boolean {
  return taken.some(
    ({ start }) =>
      start >= end &&
      start - end < DATE_BEHIND &&
      /^[\s,:;–—|·•.()!-]*(?:(?:on|am|le|el|il|op|at|um|a|de|ab|for|this|fur|pour|every)\s+){0,2}$/u.test(
        folded.slice(end, start),
      ),
  )
}
