import type { WallTime } from './civil.ts'
import type { Clock } from './find-times.ts'
import type { Language } from './when.ts'
import type { Part } from './words/words.ts'

/** What else the text says about the time of day. */
export type Mood = {
  readonly part?: Part
  /** By what kind of thing it is: a concert is in the evening. */
  readonly tends?: 'morning' | 'evening'
  /** Other times of the text are written as 24 hours. */
  readonly countsTo24: boolean
  readonly language: Language
}

export type Hour = { readonly time: WallTime; readonly certainty: number }

/** The hour on the wall: a missing AM or PM is guessed, and costs certainty. */
export function hourOf(clock: Clock, mood: Mood): Hour {
  const { hour, minute, half } = clock
  if (half !== undefined)
    return { time: wall((hour % 12) + (half === 'pm' ? 12 : 0), minute), certainty: 0.98 }
  if (clock.hour > 12 || clock.hour === 0) return { time: wall(hour, minute), certainty: 0.98 }
  if (mood.part !== undefined)
    return { time: wall(inPart(hour, mood.part), minute), certainty: 0.95 }
  if (hour === 12) return { time: wall(12, minute), certainty: 0.85 }
  if (clock.isPlain) return plain(clock, mood)
  if (mood.countsTo24) return { time: wall(hour, minute), certainty: 0.8 }
  // only English counts to twelve in writing; "7:30" elsewhere is in the morning
  if (clock.isExact && mood.language !== 'en' && mood.tends !== 'evening')
    return hour <= 4
      ? { time: wall(hour + 12, minute), certainty: 0.6 }
      : { time: wall(hour, minute), certainty: 0.8 }
  return guessHour(clock, mood)
}

// nobody writes 08:00 for the evening; "8 Uhr" of a concert somebody may
function plain({ hour, minute }: Clock, { tends, language, countsTo24 }: Mood): Hour {
  const isLoose =
    language === 'de' && minute === 0 && tends === 'evening' && !countsTo24 && hour >= 5
  return isLoose
    ? { time: wall(hour + 12, minute), certainty: 0.5 }
    : { time: wall(hour, minute), certainty: 0.93 }
}

function guessHour({ hour, minute }: Clock, { tends }: Mood): Hour {
  if (tends === 'evening' && hour >= 4)
    return { time: wall(hour + 12, minute), certainty: hour >= 6 && hour <= 10 ? 0.7 : 0.55 }
  if (tends === 'morning' && hour >= 6) return { time: wall(hour, minute), certainty: 0.7 }
  if (hour <= 6) return { time: wall(hour + 12, minute), certainty: 0.6 }
  if (hour === 7) return { time: wall(19, minute), certainty: 0.4 }
  return { time: wall(hour, minute), certainty: 0.45 }
}

function inPart(hour: number, part: Part): number {
  switch (part) {
    case 'morning':
      return hour
    case 'afternoon':
    case 'evening':
      return hour === 12 ? (part === 'evening' ? 0 : 12) : hour + 12
    case 'night':
      return hour === 12 ? 0 : hour <= 5 ? hour : hour + 12
  }
}

/** The end of a range: in the same half of the day as said, and after its start. */
export function endHourOf(start: WallTime, end: Clock, mood: Mood): Hour {
  const read = hourOf(end, mood)
  if (end.half !== undefined || end.isPlain || read.time > start) return read
  const later = wall((Number(read.time.slice(0, 2)) + 12) % 24, end.minute)
  return later > start ? { time: later, certainty: read.certainty } : read
}

export function wall(hour: number, minute: number): WallTime {
  return `${String(hour % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

const EVENING =
  /\b(?:concert|gig|party|dinner|show|dj|djs|club(?! de)|night|drinks|cocktails?|bar|theat(?:er|re)|film|movie|screening|comedy|stand-?up|jazz|ball|disco|vernissage|quiz|pub|pints|ceilidh|nye|new year's eve|silvester|reveillon|nochevieja|cumple|karaoke|opera|live music|band|bands|konzert|konzerte|feier|abendessen|kino|theater|lesung|kneipe|stammtisch|tanz|oper|auftritt|abend|disko|spieleabend|soiree|diner|apero|spectacle|bal|cine|fete|cena|cenar|cenamos|fiesta|concierto|noche|copas|teatro|espectaculo|baile|recital)\b/
const MORNING =
  /\b(?:breakfast|brunch|morning|run|runners?|parkrun|sunrise|rando|yoga|farmers'? market|market|hike|workshop|seminar|fruhstuck|flohmarkt|markt|lauf|wanderung|petit-dejeuner|marche|randonnee|brocante|atelier|desayuno|mercado|caminata|carrera|senderismo|excursion|standup meeting|site visit|appointment|dentist|doctor|clinic|hospital|blood test|delivery|engineer|plumber|electrician|departure|school|kinder|kids)\b/

/** Morning or evening, by the words of a folded text. */
export function tendency(folded: string): Mood['tends'] {
  const [evening, morning] = [EVENING.test(folded), MORNING.test(folded)]
  return evening === morning ? undefined : evening ? 'evening' : 'morning'
}
