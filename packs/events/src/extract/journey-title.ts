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

const TO_WORDS: readonly (readonly [RegExp, string])[] = [
  [/reisende|gleis|ankunft|wagen|hbf|bordkarte|fahrgast|abflug/u, 'nach'],
  [/voyageur|voiture|billet|arrivee|passager/u, 'à'],
  [/embarque|vuelo|pasajero|coche|salida|asiento/u, 'a'],
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
  const routes = lines.filter(
    (one) => roles.get(one) !== 'seat' && routeIn(one, code?.[0]) !== undefined,
  )
  // An arrow is surer than a dash.
  const line = routes.find(({ text: one }) => ARROW.test(one)) ?? routes[0]
  const route = line === undefined ? undefined : routeIn(line, code?.[0])
  const named =
    train !== null
      ? train[1]?.replace(/\s?n[°º]/u, '')
      : flight !== null
        ? `${word} ${flight[1]}`
        : undefined
  // Two stops with their times are surer than a dash, which may be any dash.
  const stacked = stackedRoute(source)
  const isArrow = line !== undefined && ARROW.test(line.text)
  const stops = isArrow ? route : (stacked ?? route)
  const start = code?.index ?? line?.start ?? 0
  const end = code === null ? (line?.end ?? start) : start + code[0].length
  const destination = stops?.split(/ (?:–|to|nach) /u)[1]
  const to = TO_WORDS.find(([pattern]) => pattern.test(folded))?.[1] ?? 'to'
  const vehicle = train?.[1]
  const titles = [
    [named, stops],
    [stops],
    ...(destination === undefined || vehicle === undefined
      ? []
      : [[vehicle.replace(/\s?n[°º]/u, ''), to, destination]]),
  ]
    .map((parts) => parts.filter((part) => part !== undefined).join(' '))
    .filter((title, index, all) => title !== '' && all.indexOf(title) === index)
  return titles.map((title) => ({ start, end, title, confidence: 0.74, manner: 'journey' }))
}

const TIME = String.raw`\d{1,2}\s?[:h.]\s?\d{2}(?![\d.])`
const STOP = new RegExp(
  String.raw`^(?:(?:ab|an|dep|arr|from|to|von|nach|de|a|à)\.?:?\s+)?(\p{Lu}[^\n\d,;:]{2,40}?)[,\s]+(?:(?:ab|an|dep|arr|at|um|à|départ|arrivée|salida|llegada)\.?:?\s+)?(?:${TIME})`,
  'u',
)

// "23:35  Dortmund ZOB"
const STOP_BEHIND = new RegExp(String.raw`^(?:${TIME})\s+(\p{Lu}[^\n\d,;:(]{2,40})`, 'u')

const NO_STOP =
  /(?:check-?in|sailing|boarding|closes|arrive|depart|doors|einlass|beginn|start|show|porte|puerta|salida|llegada|gate|time|hora|heure)/iu

/** The two stations of a journey on lines of their own, each with its time. */
function stackedRoute({ lines }: SourceText): string | undefined {
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1]?.text.trim() ?? ''
    const from = (STOP.exec(line.text.trim()) ?? STOP_BEHIND.exec(line.text.trim()))?.[1]
    const to = (STOP.exec(next) ?? STOP_BEHIND.exec(next))?.[1]
    if (from !== undefined && to !== undefined && !NO_STOP.test(`${from} ${to}`))
      return `${bare(from)} – ${bare(to)}`
  }
  return undefined
}

function routeIn({ text }: SourceLine, code = ''): string | undefined {
  const bareText = text
    .replace(code, '')
    .replace(
      /^\W*(?:outward|outbound|return|inbound|hinfahrt|hinflug|ruckfahrt|aller|retour|ida|vuelta|flight|flug|vol|vuelo|volo|voo|vlucht|zug|train|tren|treno)(?!\p{L})\W*/iu,
      '',
    )
    .trim()
  if (
    /(?<!\p{L})(?:boarding|booking|confirmation|buchung|billete?|e-?ticket|ticket|reserva|réservation|reservation|itinerary|fahrkarte|bordkarte|document|carte|embarquement)(?!\p{L})/iu.test(
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
  const isBound =
    TRAIN_CODE.test(text) ||
    FLIGHT.test(folded) ||
    DEPARTS.test(folded) ||
    LEG.test(text) ||
    ARROW.test(text)
  return lines.length >= 3 && isBound && SEATED.test(folded)
}

// "London Kings Cross  10:30  →  York  12:24"
const LEG = /\d{1,2}[:h.]\d{2}\s*(?:→|->|➔|–|-)\s*\p{Lu}/u
// "Southampton → East Cowes"
const ARROW = /\p{Lu}\p{L}[^\n]{0,40}(?:→|➔|✈)\s*\p{Lu}/u
const DEPARTS =
  /(?<!\p{L})(?:dep|arr|departs?|arrives?|departure|abfahrt|ankunft|depart|arrivee|salida|llegada)(?!\p{L})/u
const SEATED =
  /(?<!\p{L})(?:check-in|ferry|sailing|vehicle|cabine|bag\s+drop|bus|gate|terminal|seat|coach|platz|place|asiento|wagen|wg|voiture|coche|gleis|boarding|embarque)(?!\p{L})/u
