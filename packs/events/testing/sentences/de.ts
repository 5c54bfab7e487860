import { addDays, dateParts } from '../calendar-day.ts'
import { writeGerman } from '../writing/de.ts'
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

const { weekday, month, day: written } = writeGerman()
const PART: Readonly<Record<string, string>> = {
  morning: 'früh',
  noon: 'Mittag',
  afternoon: 'Nachmittag',
  evening: 'Abend',
}

const whens: readonly PhraseWhen[] = [
  (moment) => at(moment, farDay(moment), (day) => `am ${written(day, 'long')}`),
  (moment) =>
    at(
      moment,
      farDay(moment),
      (day) => `am ${weekday(day, 'long')}, den ${dateParts(day).date}. ${month(day)},`,
    ),
  (moment) =>
    at(
      moment,
      farDay(moment),
      (day) => `am ${dateParts(day).date}.${dateParts(day).month}.${dateParts(day).year}`,
    ),
  (moment) =>
    at(moment, farDay(moment), (day) => `am ${dateParts(day).date}.${dateParts(day).month}.`),
  (moment) => at(moment, nearDay(moment), (day) => `am ${weekday(day, 'long')}`),
  (moment) => at(moment, dayOfThisWeek(moment), (day) => `diesen ${weekday(day, 'long')}`),
  (moment) => at(moment, dayOfNextWeek(moment), (day) => `nächste Woche ${weekday(day, 'long')}`),
  (moment) => at(moment, addDays(moment.today, 1), () => 'morgen'),
  (moment) => at(moment, addDays(moment.today, 2), () => 'übermorgen'),
  (moment) => at(moment, addDays(moment.today, 14), () => 'heute in zwei Wochen'),
  (moment) => {
    if (moment.hours === 'noon') return undefined
    const time = fullHour(moment)
    return toPhrase(
      `morgen ${PART[moment.hours]} um ${Number(time.slice(0, 2)) % 12 || 12}`,
      once(addDays(moment.today, 1), time),
    )
  },
  (moment) =>
    moment.hours === 'evening'
      ? toPhrase('heute Abend um acht', once(moment.today, '20:00'))
      : undefined,
  (moment) => {
    if (moment.hours !== 'evening') return undefined
    const day = nearDay(moment)
    return toPhrase(`am ${weekday(day, 'long')}abend um halb acht`, once(day, '19:30'))
  },
  (moment) => {
    if (moment.hours === 'noon') return undefined
    const when = span(nearDay(moment), fullHour(moment), 2)
    return toPhrase(
      `am ${weekday(when.day, 'long')} von ${bare(when.time)} bis ${bare(when.endTime)} Uhr`,
      when,
    )
  },
  (moment) => {
    const when = someDays(moment)
    return toPhrase(
      `vom ${dateParts(when.day).date}. bis ${dateParts(when.endDay).date}. ${month(when.endDay)}`,
      when,
    )
  },
  (moment) => {
    const day = farDay(moment)
    return toPhrase(`am ${written(day, 'plain')} (ganztägig)`, { kind: 'all-day', day })
  },
  (moment) => {
    const when = weekly(moment, startOf(moment))
    return toPhrase(`jeden ${weekdayName(when.weekday, 'de')} um ${bare(when.time)} Uhr`, when)
  },
  (moment) => {
    const when = weekly(moment, startOf(moment))
    return toPhrase(
      `immer ${weekdayName(when.weekday, 'de').toLowerCase()}s um ${bare(when.time)} Uhr`,
      when,
    )
  },
  (moment) => {
    const when = monthly(moment, startOf(moment))
    return toPhrase(
      `jeden ersten ${weekdayName(when.weekday, 'de')} im Monat um ${bare(when.time)} Uhr`,
      when,
    )
  },
]

const frames: readonly Frame[] = [
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    say: ({ to, when, at }) => `Hey, kommst du ${when} mit ${to} ${at}?`,
  },
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    say: ({ title, when, at }) => `${title} ${when} ${at} – wer ist dabei?`,
  },
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    showsPrice: true,
    say: ({ to, when, at, price }) => `wir gehen ${when} ${to} ${at}, magst du mit? ${price}`,
  },
  {
    layout: 'note',
    about: 'public',
    shows: 'name',
    say: ({ title, when, venue }) => `Termin vormerken: ${title}, ${when}, ${venue}`,
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
      `Liebe Nachbarinnen und Nachbarn,\n\nwir laden euch herzlich ein ${to}. Wir treffen uns ${when} ${at}, ${address}. ${price}\n\nViele Grüße\nHelene Vogt`,
  },
  {
    layout: 'mail',
    about: 'public',
    shows: 'name',
    say: ({ title, when, at }) =>
      `Betreff: ${title}\n\nHallo zusammen,\n\nzur Erinnerung: Wir sehen uns ${when} ${at}.\n\nBis dann\nMarkus`,
  },
  {
    layout: 'chat',
    about: 'personal',
    shows: 'no place',
    say: ({ title, when }) => `Nicht vergessen: ${title} ${when}!`,
  },
  {
    layout: 'chat',
    about: 'personal',
    shows: 'name',
    say: ({ to, when, at }) => `Hast du ${when} Zeit ${to} ${at}?`,
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
    say: ({ title, when }) => `Erinnerung: ${title} ${when}`,
  },
  {
    layout: 'mail',
    about: 'personal',
    shows: 'name',
    say: ({ title, when, at }) =>
      `Hallo Sandra,\n\n${title} ist ${when} ${at}. Gib bitte Bescheid, falls das nicht passt.\n\nDanke\nJulia`,
  },
]

export const german: SentenceTemplates = {
  whens,
  frames,
  price: ({ amount, currency }) => {
    if (amount === 0) return 'Der Eintritt ist frei.'
    const figures = Number.isInteger(amount) ? `${amount}` : amount.toFixed(2).replace('.', ',')
    return `Der Eintritt kostet ${figures} ${currency === 'EUR' ? 'Euro' : 'Franken'}.`
  },
}

function at(
  moment: Moment,
  day: string | undefined,
  words: (day: string) => string,
): ReturnType<PhraseWhen> {
  if (day === undefined) return undefined
  const time = startOf(moment)
  const hour = moment.random.is(0.5) ? `${bare(time)} Uhr` : `${time} Uhr`
  return toPhrase(`${words(day)} um ${hour}`, once(day, time))
}

function bare(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return minute === 0 ? `${hour}` : `${hour}:${String(minute).padStart(2, '0')}`
}
