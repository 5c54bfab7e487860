import { addDays, dateParts } from '../calendar-day.ts'
import { writeSpanish } from '../writing/es.ts'
import { capitalize, weekdayName } from '../writing/intl-names.ts'
import {
  dayOfNextWeek,
  dayOfThisWeek,
  type Frame,
  farDay,
  fullHour,
  type Moment,
  monthly,
  nearDay,
  once,
  type PhraseWhen,
  type SentenceTemplates,
  someDays,
  span,
  startOf,
  toPhrase,
  weekly,
} from './sentence.ts'

const { weekday, month, day: written } = writeSpanish()

const whens: readonly PhraseWhen[] = [
  (moment) => at(moment, farDay(moment), (day) => `el ${written(day, 'long').toLowerCase()}`),
  (moment) => at(moment, farDay(moment), (day) => `el ${written(day, 'open').toLowerCase()}`),
  (moment) => at(moment, farDay(moment), (day) => `el ${written(day, 'plain')}`),
  (moment) =>
    at(
      moment,
      farDay(moment),
      (day) => `el ${dateParts(day).date}/${dateParts(day).month}/${dateParts(day).year}`,
    ),
  (moment) => at(moment, nearDay(moment), (day) => `el ${weekday(day, 'long').toLowerCase()}`),
  (moment) =>
    at(moment, dayOfThisWeek(moment), (day) => `este ${weekday(day, 'long').toLowerCase()}`),
  (moment) =>
    at(
      moment,
      dayOfNextWeek(moment),
      (day) => `el ${weekday(day, 'long').toLowerCase()} de la semana que viene`,
    ),
  (moment) => at(moment, addDays(moment.today, 1), () => 'mañana'),
  (moment) => at(moment, addDays(moment.today, 2), () => 'pasado mañana'),
  (moment) => at(moment, addDays(moment.today, 3), () => 'dentro de tres días'),
  (moment) => {
    if (moment.hours === 'noon') return undefined
    const time = fullHour(moment)
    return toPhrase(`mañana a las ${spoken(time)}`, once(addDays(moment.today, 1), time))
  },
  (moment) =>
    moment.hours === 'evening'
      ? toPhrase('esta noche a las nueve', once(moment.today, '21:00'))
      : undefined,
  (moment) => {
    if (moment.hours !== 'evening') return undefined
    const day = nearDay(moment)
    return toPhrase(
      `el ${weekday(day, 'long').toLowerCase()} a las ocho y media de la tarde`,
      once(day, '20:30'),
    )
  },
  (moment) => {
    if (moment.hours === 'noon') return undefined
    const when = span(nearDay(moment), fullHour(moment), 2)
    return toPhrase(
      `el ${weekday(when.day, 'long').toLowerCase()} de ${bare(when.time)} a ${bare(when.endTime)} h`,
      when,
    )
  },
  (moment) => {
    const when = someDays(moment)
    return toPhrase(
      `del ${dateParts(when.day).date} al ${dateParts(when.endDay).date} de ${month(when.endDay)}`,
      when,
    )
  },
  (moment) => {
    const day = farDay(moment)
    return toPhrase(`el ${written(day, 'plain')}, todo el día`, { kind: 'all-day', day })
  },
  (moment) => {
    const when = weekly(moment, startOf(moment))
    return toPhrase(`todos los ${plural(when.weekday)} a las ${bare(when.time)}`, when)
  },
  (moment) => {
    const when = weekly(moment, startOf(moment))
    return toPhrase(`cada ${weekdayName(when.weekday, 'es')} a las ${bare(when.time)}`, when)
  },
  (moment) => {
    const when = monthly(moment, startOf(moment))
    return toPhrase(
      `el primer ${weekdayName(when.weekday, 'es')} de cada mes a las ${bare(when.time)}`,
      when,
    )
  },
]

const frames: readonly Frame[] = [
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    say: ({ to, when, at }) => `Hola, ¿vienes ${to} ${when}? Es ${at}.`,
  },
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    say: ({ title, when, at }) => `${title} ${when} ${at}, ¿quién se apunta?`,
  },
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    showsPrice: true,
    say: ({ to, when, at, price }) => `vamos ${to} ${when} ${at}, ¿te vienes? ${price}`,
  },
  {
    layout: 'note',
    about: 'public',
    shows: 'name',
    say: ({ title, when, venue }) => `Reserva la fecha: ${title}, ${when}, ${venue}`,
  },
  {
    layout: 'note',
    about: 'public',
    shows: 'address',
    showsPrice: true,
    say: ({ title, when, venue, address, price }) =>
      `${title}\n${capitalize(when)}\n${venue}, ${address}\n${price}`,
  },
  {
    layout: 'mail',
    about: 'public',
    shows: 'address',
    showsPrice: true,
    say: ({ to, when, at, address, price }) =>
      `Estimados vecinos:\n\nos invitamos ${to}. Nos vemos ${when} ${at}, ${address}. ${price}\n\nUn saludo,\nElena Archer`,
  },
  {
    layout: 'mail',
    about: 'public',
    shows: 'name',
    say: ({ title, when, at }) =>
      `Asunto: ${title}\n\nHola a todos:\n\nos recuerdo que nos vemos ${when} ${at}.\n\nHasta pronto,\nMarcos`,
  },
  {
    layout: 'chat',
    about: 'personal',
    shows: 'no place',
    say: ({ title, when }) => `No te olvides: ${title} ${when}.`,
  },
  {
    layout: 'chat',
    about: 'personal',
    shows: 'name',
    say: ({ title, when, at }) => `${title} ${when} ${at}, ¿te va bien?`,
  },
  {
    layout: 'note',
    about: 'personal',
    shows: 'name',
    say: ({ title, when, venue }) => `${title}, ${when}, ${venue}`,
  },
  {
    layout: 'note',
    about: 'personal',
    shows: 'no place',
    say: ({ title, when }) => `Recordatorio: ${title} ${when}`,
  },
  {
    layout: 'mail',
    about: 'personal',
    shows: 'name',
    say: ({ title, when, at }) =>
      `Hola, Sandra:\n\n${title}: ${when} ${at}. Avísame si no te viene bien.\n\nGracias,\nJulia`,
  },
]

export const spanish: SentenceTemplates = {
  whens,
  frames,
  price: ({ amount, currency }) => {
    if (amount === 0) return 'La entrada es gratuita.'
    const figures = Number.isInteger(amount) ? `${amount}` : amount.toFixed(2).replace('.', ',')
    return `La entrada cuesta ${figures} ${currency === 'EUR' ? 'euros' : 'pesos'}.`
  },
}

function at(
  moment: Moment,
  day: string | undefined,
  words: (day: string) => string,
): ReturnType<PhraseWhen> {
  if (day === undefined) return undefined
  const time = startOf(moment)
  const isSpoken = time.endsWith(':00') && Number(time.slice(0, 2)) > 13 && moment.random.is(0.4)
  return toPhrase(`${words(day)} a las ${isSpoken ? spoken(time) : bare(time)}`, once(day, time))
}

/** "8 de la tarde", and from nine on "9 de la noche". */
function spoken(time: string): string {
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12} ${hour < 12 ? 'de la mañana' : hour < 21 ? 'de la tarde' : 'de la noche'}`
}

function bare(time: string): string {
  return time.replace(/^0/, '')
}

function plural(weekday: number): string {
  const name = weekdayName(weekday, 'es')
  return name.endsWith('s') ? name : `${name}s`
}
