import { addDays, dateParts } from '../calendar-day.ts'
import type { Price } from '../generated-case.ts'
import { writeEnglish } from '../writing/en.ts'
import { capitalize, weekdayName } from '../writing/intl-names.ts'
import {
  dayOfNextWeek,
  dayOfThisWeek,
  type Frame,
  farDay,
  fullHour,
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

const PART: Readonly<Record<string, string>> = {
  morning: 'morning',
  noon: 'lunchtime',
  afternoon: 'afternoon',
  evening: 'evening',
}

const whens: readonly PhraseWhen[] = [
  (moment) => written(moment, 'open', 1),
  (moment) => written(moment, 'plain', 0),
  (moment) => written(moment, 'short', 2),
  (moment) => {
    const [day, time] = [farDay(moment), startOf(moment)]
    const writing = writeEnglish(moment.region)
    return toPhrase(
      `on ${writing.day(day, 'figures').replace(/^\w+ /, '')} at ${writing.time(time, 1)}`,
      once(day, time),
    )
  },
  (moment) => {
    const [day, time] = [nearDay(moment), startOf(moment)]
    return toPhrase(
      `on ${writeEnglish(moment.region).weekday(day, 'long')} at ${clock(time)}`,
      once(day, time),
    )
  },
  (moment) => {
    const day = dayOfThisWeek(moment)
    const time = startOf(moment)
    return day === undefined
      ? undefined
      : toPhrase(
          `this ${writeEnglish(moment.region).weekday(day, 'long')} at ${clock(time)}`,
          once(day, time),
        )
  },
  (moment) => {
    const day = dayOfNextWeek(moment)
    const time = startOf(moment)
    return day === undefined
      ? undefined
      : toPhrase(
          `next week on ${writeEnglish(moment.region).weekday(day, 'long')}, ${clock(time)}`,
          once(day, time),
        )
  },
  (moment) => {
    const time = startOf(moment)
    return toPhrase(`tomorrow at ${clock(time)}`, once(addDays(moment.today, 1), time))
  },
  (moment) => {
    const time = fullHour(moment)
    if (moment.hours === 'noon') return undefined
    return toPhrase(
      `tomorrow ${PART[moment.hours]} at ${Number(time.slice(0, 2)) % 12 || 12}`,
      once(addDays(moment.today, 1), time),
    )
  },
  (moment) => {
    if (moment.hours !== 'evening') return undefined
    const time = fullHour(moment)
    return toPhrase(`tonight at ${Number(time.slice(0, 2)) - 12}`, once(moment.today, time))
  },
  (moment) => {
    const time = startOf(moment)
    return toPhrase(
      `the day after tomorrow at ${clock(time)}`,
      once(addDays(moment.today, 2), time),
    )
  },
  (moment) => {
    const time = startOf(moment)
    return toPhrase(`two weeks from today at ${clock(time)}`, once(addDays(moment.today, 14), time))
  },
  (moment) => {
    if (moment.hours === 'noon') return undefined
    const when = span(nearDay(moment), fullHour(moment), 2)
    return toPhrase(
      `on ${writeEnglish(moment.region).weekday(when.day, 'long')} from ${clock(when.time)} to ${clock(when.endTime)}`,
      when,
    )
  },
  (moment) => {
    const when = someDays(moment)
    return toPhrase(
      `from ${writeEnglish(moment.region).day(when.day, 'plain')} to ${writeEnglish(moment.region).day(when.endDay, 'plain')}`,
      when,
    )
  },
  (moment) => {
    const day = farDay(moment)
    return toPhrase(`on ${writeEnglish(moment.region).day(day, 'plain')}, all day`, {
      kind: 'all-day',
      day,
    })
  },
  (moment) => {
    const when = weekly(moment, startOf(moment))
    return toPhrase(`every ${weekdayName(when.weekday, 'en')} at ${clock(when.time)}`, when)
  },
  (moment) => {
    const when = monthly(moment, startOf(moment))
    return toPhrase(
      `on the first ${weekdayName(when.weekday, 'en')} of every month at ${clock(when.time)}`,
      when,
    )
  },
  (moment) => {
    // "am" for a breakfast and "pm" for a dinner are usually omitted.
    const [day, time] = [nearDay(moment), fullHour(moment)]
    return toPhrase(
      `on ${writeEnglish(moment.region).weekday(day, 'long')} at ${Number(time.slice(0, 2)) % 12 || 12}`,
      once(day, time),
    )
  },
  (moment) => {
    if (moment.hours !== 'evening') return undefined
    const { weekday, month } = writeEnglish(moment.region)
    const day = farDay(moment)
    return toPhrase(
      `on ${weekday(day, 'long')}, ${month(day)} ${dateParts(day).date}, at half past seven in the evening`,
      once(day, '19:30'),
    )
  },
]

const frames: readonly Frame[] = [
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    say: ({ to, when, at }) => `Hey, are you coming to ${to} ${when}? It’s ${at}.`,
  },
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    say: ({ title, when, at }) => `${title} ${when} ${at} – who’s in?`,
  },
  {
    layout: 'chat',
    about: 'public',
    shows: 'name',
    showsPrice: true,
    say: ({ to, when, at, price }) => `we’re going to ${to} ${when} ${at}, wanna join? ${price}`,
  },
  {
    layout: 'note',
    about: 'public',
    shows: 'name',
    say: ({ title, when, venue }) => `Save the date! ${title}, ${when}, ${venue}.`,
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
      `Dear all,\n\nplease join us for ${to} ${when}. We meet ${at}, ${address}. ${price}\n\nKind regards,\nHelen Archer`,
  },
  {
    layout: 'mail',
    about: 'public',
    shows: 'name',
    say: ({ title, when, at }) =>
      `Subject: ${title}\n\nHi everyone,\n\njust a reminder that it takes place ${when} ${at}.\n\nBest,\nMark`,
  },
  {
    layout: 'chat',
    about: 'personal',
    shows: 'no place',
    say: ({ to, when }) => `Don’t forget ${to} ${when}!`,
  },
  {
    layout: 'chat',
    about: 'personal',
    shows: 'name',
    say: ({ to, when, at }) => `Are you free for ${to} ${when} ${at}?`,
  },
  {
    layout: 'note',
    about: 'personal',
    shows: 'name',
    say: ({ title, when, venue }) => `${title} @ ${venue}, ${when}`,
  },
  {
    layout: 'note',
    about: 'personal',
    shows: 'no place',
    say: ({ title, when }) => `Reminder: ${title} ${when}`,
  },
  {
    layout: 'mail',
    about: 'personal',
    shows: 'name',
    say: ({ title, when, at }) =>
      `Hi Sam,\n\n${title} is ${when} ${at}. Please let me know if that does not work for you.\n\nThanks,\nJo`,
  },
]

export const english: SentenceTemplates = {
  whens,
  frames,
  price: ({ amount, currency }: Price) =>
    amount === 0
      ? 'Entry is free.'
      : `Tickets are ${currency === 'GBP' ? '£' : '$'}${Number.isInteger(amount) ? amount : amount.toFixed(2)}.`,
}

function written(
  moment: Parameters<PhraseWhen>[0],
  form: 'open' | 'plain' | 'short',
  habit: number,
): ReturnType<PhraseWhen> {
  const [day, time] = [farDay(moment), startOf(moment)]
  const writing = writeEnglish(moment.region)
  return toPhrase(`on ${writing.day(day, form)} at ${writing.time(time, habit)}`, once(day, time))
}

/** In the informal form: 7pm, 7:30pm. */
function clock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`}${hour < 12 ? 'am' : 'pm'}`
}
