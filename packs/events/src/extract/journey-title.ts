import type { ComposedTitle } from './compose-title.ts'
import type { LineRole } from './line-roles.ts'
import type { SourceLine, SourceText } from './source-text.ts'

const FLIGHT =
  /(?<!\p{L})(?:boarding\s+pass|flight|bordkarte|flug(?:nummer)?|vol|tarjeta\s+de\s+embarque|vuelo)(?!\p{L})/u
const FLIGHT_CODE = /(?<![\p{L}\p{N}])((?:[A-Z]{2}|[A-Z]\d|\d[A-Z])\s?\d{2,4})(?![\p{L}\p{N}:.€])/u
const TRAIN_CODE =
  /(?<![\p{L}\p{N}])((?:ICE|IC|EC|RE|RJX?|TGV(?:\s+INOUI)?|OUIGO|TER|AVE|AVLO|ALVIA|Eurostar|Thalys|Nightjet|Amtrak|FlixBus)\s?(?:n[°º]\s?)?\d{1,5})(?![\p{N}:.€])/u
const ROUTE = /^(.{3,40}?)\s*(?:→|->|➔|✈|—>|\s[-–]\s|\s>\s|\sto\s|\snach\s)\s*(.{3,40})$/u
// table of words for a flight
const FLIGHT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/passenger|departs|boarding pass|seat\s/u, 'Flight'],
  [/bordkarte|flug|reisende|gleis|ankunft|wagen|wg\.|hbf/u, 'Flug'],
  [/voyageur|voiture|billet|depart|vol\s/u, 'Vol'],
  [/embarque|vuelo|pasajero|coche|salida/u, 'Vuelo'],
]

/** The number and the route of a flight or train. */
export function journeyTitles(
  source: SourceText,
  roles: ReadonlyMap<SourceLine, LineRole>,
): readonly ComposedTitle[] {
  const { text, folded, lines } = source
  if (lines.length < 3) return []
  const train = TRAIN_CODE.exec(text)
  const flight = FLIGHT.test(folded) ? FLIGHT_CODE.exec(text) : null
  const code = train ?? flight
  if (code === null && !isJourney(source)) return []
  const word = FLIGHT_WORDS.find(([pattern]) => pattern.test(folded))?.[1] ?? 'Flight'
  const line = lines.find(
    (one) => roles.get(one) !== 'seat' && routeIn(one, code?.[0]) !== undefined,
  )
  const route = line === undefined ? undefined : routeIn(line, code?.[0])
  const named =
    train !== null
      ? train[1]?.replace(/\s?n[°º]/u, '')
      : flight !== null
        ? `${word} ${flight[1]}`
        : undefined
  const start = code?.index ?? line?.start
  if (start === undefined || (named === undefined && route === undefined)) return []
  return [
    {
      start,
      end: code === null ? (line?.end ?? start) : start + code[0].length,
      title: [named, route].filter((part) => part !== undefined).join(' '),
      confidence: 0.74,
      manner: 'composed',
    },
  ]
}

function routeIn({ text }: SourceLine, code = ''): string | undefined {
  const bareText = text
    .replace(code, '')
    .replace(/^\W*(?:flight|flug|vol|vuelo|volo|voo|vlucht|zug|train|tren|treno)(?!\p{L})\W*/iu, '')
    .trim()
  if (
    /(?<!\p{L})(?:boarding|booking|confirmation|buchung|billet|ticket|reserva|itinerary)(?!\p{L})/iu.test(
      bareText,
    )
  )
    return undefined
  const match = ROUTE.exec(bareText)
  if (match === null || /\d{3}/.test(match[0].replace(/\d{1,2}\s?[:h.]\s?\d{2}/gu, '')))
    return undefined
  const [, from = '', to = ''] = match
  const link = /\s(?:to|nach)\s(?=\p{Lu})/u.exec(match[0])?.[0].trim() ?? '–'
  return /^\p{Lu}/u.test(from) && /^\p{Lu}/u.test(to)
    ? `${bare(from)} ${link} ${bare(to)}`
    : undefined
}

// Without the code of an airport.
function bare(stop = ''): string {
  return stop
    .replace(/\s*\([A-Z]{3}\)/g, '')
    .replace(/(?:\s(?:at|um|a|à))?\s*\d{1,2}\s?[:h.]\s?\d{2}.*$/u, '')
    .trim()
}

/** Whether a text is a ticket of a journey. */
export function isJourney({ text, folded, lines }: SourceText): boolean {
  const isBound = TRAIN_CODE.test(text) || FLIGHT.test(folded) || DEPARTS.test(folded)
  return lines.length >= 3 && isBound && SEATED.test(folded)
}

const DEPARTS =
  /(?<!\p{L})(?:dep|arr|departs?|arrives?|departure|abfahrt|ankunft|depart|arrivee|salida|llegada)(?!\p{L})/u
const SEATED =
  /(?<!\p{L})(?:gate|terminal|seat|coach|platz|place|asiento|wagen|wg|voiture|coche|gleis|boarding|embarque)(?!\p{L})/u
