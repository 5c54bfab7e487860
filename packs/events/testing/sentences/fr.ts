import { addDays, dateParts } from '../calendar-day.ts'
import { writeFrench } from '../writing/fr.ts'
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

const { weekday, month, day: written, time: clock } = writeFrench()
const PART: Readonly<Record<string, string>> = {
  morning: 'matin',
  noon: 'midi',
  afternoon: 'après-midi',
  evening: 'soir',
}

const whens: readonly PhraseWhen[] = [
  (moment) => at(moment, farDay(moment), (day) => `le ${written(day, 'long').toLowerCase()}`),
  (moment) => at(moment, farDay(moment), (day) => `le ${written(day, 'open').toLowerCase()}`),
  (moment) => at(moment, farDay(moment), (day) => `le ${written(day, 'plain')}`),
  (moment) =>
    at(moment, farDay(moment), (day) => `le ${written(day, 'figures').replace(/^\S+ /, '')}`),
  (moment) => at(moment, nearDay(moment), (day) => weekday(day, 'long').toLowerCase()),
  (moment) =>
    at(moment, dayOfThisWeek(moment), (day) => `ce ${weekday(day, 'long').toLowerCase()}`),
  (moment) =>
    at(
      moment,
      dayOfNextWeek(moment),
      (day) => `${weekday(day, 'long').toLowerCase()} de la semaine prochaine`,
    ),
  (moment) => at(moment, addDays(moment.today, 1), () => 'demain'),
  (moment) => at(moment, addDays(moment.today, 2), () => 'après-demain'),
  (moment) => at(moment, addDays(moment.today, 3), () => 'dans trois jours'),
  (moment) => {
    if (moment.hours === 'noon') return undefined
    const time = fullHour(moment)
    return toPhrase(
      `demain ${PART[moment.hours]} à ${Number(time.slice(0, 2))}h`,
      once(addDays(moment.today, 1), time),
    )
  },
  (moment) =>
    moment.hours === 'evening'
      ? toPhrase('ce soir à 20h30', once(moment.today, '20:30'))
      : undefined,
  (moment) => {
    if (moment.hours !== 'evening') return undefined
    const day = nearDay(moment)
    return toPhrase(`${weekday(day, 'long').toLowerCase()} soir à huit heures`, once(day, '20:00'))
  },
  (moment) => {
    if (moment.hours === 'noon') return undefined
    const when = span(nearDay(moment), fullHour(moment), 2)
    return toPhrase(
      `${weekday(when.day, 'long').toLowerCase()} de ${clock(when.time, 0)} à ${clock(when.endTime, 0)}`,
      when,
    )
  },
  (moment) => {
    const when = someDays(moment)
    return toPhrase(
      `du ${dateParts(when.day).date} au ${dateParts(when.endDay).date} ${month(when.endDay)}`,
      when,
    )
  },
  (moment) => {
    const day = farDay(moment)
    return toPhrase(`le ${written(day, 'plain')}, toute la journée`, { kind: 'all-day', day })
  },
  (moment) => {
    const when = weekly(moment, startOf(moment))
    return toPhrase(`tous les ${weekdayName(when.weekday, 'fr')}s à ${clock(when.time, 0)}`, when)
  },
  (moment) => {
    const when = weekly(moment, startOf(moment))
    return toPhrase(`chaque ${weekdayName(when.weekday, 'fr')} à ${clock(when.time, 1)}`, when)
  },
  (moment) => {
    const when = monthly(moment, startOf(moment))
    return toPhrase(
      `le premier ${weekdayName(when.weekday, 'fr')} de chaque mois à ${clock(when.time, 0)}`,
      when,
    )
  },
]

const frames: readonly Frame[] = [
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    say: ({ to, when, at }) => `Coucou, tu viens ${to} ${when} ? C’est ${at}.`,
  },
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    say: ({ title, when, at }) => `${title} ${when} ${at}, qui vient ?`,
  },
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    showsPrice: true,
    say: ({ to, when, at, price }) => `on va ${to} ${when}, ${at}, ça te dit ? ${price}`,
  },
  {
    layout: 'note',
    about: 'public',
    shows: 'name',
    say: ({ title, when, venue }) => `À noter : ${title}, ${when}, ${venue}`,
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
      `Chers voisins,\n\nnous vous invitons ${to}. Rendez-vous ${when} ${at}, ${address}. ${price}\n\nBien cordialement,\nHélène Archer`,
  },
  {
    layout: 'mail',
    about: 'public',
    shows: 'name',
    say: ({ title, when, at }) =>
      `Objet : ${title}\n\nBonjour à tous,\n\npetit rappel : on se retrouve ${when} ${at}.\n\nÀ bientôt,\nMarc`,
  },
  {
    layout: 'chat',
    about: 'personal',
    shows: 'no place',
    say: ({ title, when }) => `N’oublie pas : ${title} ${when} !`,
  },
  {
    layout: 'chat',
    about: 'personal',
    shows: 'name',
    say: ({ title, when, at }) => `${title} ${when} ${at}, ça te va ?`,
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
    say: ({ title, when }) => `Rappel : ${title} ${when}`,
  },
  {
    layout: 'mail',
    about: 'personal',
    shows: 'name',
    say: ({ title, when, at }) =>
      `Bonjour Sandrine,\n\n${title} : ${when} ${at}. Dis-moi si cela ne te convient pas.\n\nMerci,\nJulie`,
  },
]

export const french: SentenceTemplates = {
  whens,
  frames,
  price: ({ amount, currency }) => {
    if (amount === 0) return 'L’entrée est gratuite.'
    const figures = Number.isInteger(amount) ? `${amount}` : amount.toFixed(2).replace('.', ',')
    return `L’entrée coûte ${figures} ${currency === 'EUR' ? 'euros' : 'francs'}.`
  },
}

function at(
  moment: Moment,
  day: string | undefined,
  words: (day: string) => string,
): ReturnType<PhraseWhen> {
  if (day === undefined) return undefined
  const time = startOf(moment)
  return toPhrase(`${words(day)} à ${clock(time, moment.random.whole(0, 2))}`, once(day, time))
}
