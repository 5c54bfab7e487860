import { type CalendarDay, dateParts } from '../calendar-day.ts'
import type { Price } from '../generated-case.ts'
import { calendarName, weekdayName } from './intl-names.ts'
import type { DayForm, Noise, Writing } from './writing.ts'

export function writeGerman(): Writing {
  return {
    weekday,
    month,
    day,
    days,
    time,
    times: (from, to, habit) =>
      habit === 1 ? `von ${bare(from)} bis ${bare(to)} Uhr` : `${bare(from)} – ${time(to, habit)}`,
    doors: (doors, start) => `Einlass ${bare(doors)} Uhr, Beginn ${bare(start)} Uhr`,
    weekly: (value) => `Jeden ${weekdayName(value, 'de')}`,
    monthly: (value) => `Jeden ersten ${weekdayName(value, 'de')} im Monat`,
    price,
    presents: (who) => `${who} präsentiert`,
    labels: { when: 'Wann', where: 'Wo', admission: 'Eintritt', time: 'Beginn' },
    noise: noiseLines,
  }
}

function weekday(value: CalendarDay, form: 'long' | 'short'): string {
  return calendarName(value, 'de', { weekday: form }).replace('.', '')
}

function month(value: CalendarDay): string {
  return calendarName(value, 'de', { month: 'long' })
}

function day(value: CalendarDay, form: DayForm): string {
  const parts = dateParts(value)
  switch (form) {
    case 'long':
      return `${weekday(value, 'long')}, ${parts.date}. ${month(value)} ${parts.year}`
    case 'open':
      return `${weekday(value, 'long')}, den ${parts.date}. ${month(value)}`
    case 'short':
      return `${weekday(value, 'short')}, ${parts.date}.${parts.month}.`
    case 'plain':
      return `${parts.date}. ${month(value)} ${parts.year}`
    case 'figures':
      return `${weekday(value, 'short')}, ${calendarName(value, 'de', { day: '2-digit', month: '2-digit', year: 'numeric' })}`
  }
}

function days(from: CalendarDay, to: CalendarDay): string {
  const [first, last] = [dateParts(from), dateParts(to)]
  const start = first.month === last.month ? `${first.date}.` : `${first.date}. ${month(from)}`
  return `${start} bis ${last.date}. ${month(to)} ${last.year}`
}

function bare(value: string): string {
  const [hour = 0, minute = 0] = value.split(':').map(Number)
  return minute === 0 ? `${hour}` : `${hour}.${String(minute).padStart(2, '0')}`
}

function time(value: string, habit: number): string {
  return habit === 0
    ? `${value} Uhr`
    : habit === 1
      ? `${bare(value)} Uhr`
      : `${value.replace(':', '.')} Uhr`
}

function price({ amount, currency }: Price, habit: number): string {
  if (amount === 0) return habit === 1 ? 'Eintritt frei' : 'Eintritt kostenlos'
  const figures = Number.isInteger(amount) ? `${amount}` : amount.toFixed(2).replace('.', ',')
  const written =
    currency === 'EUR' ? `${figures} ${habit === 2 ? 'Euro' : '€'}` : `${currency} ${figures}`
  return habit === 1 ? `Eintritt: ${written}` : written
}

function noiseLines({
  saleFrom,
  next,
  phone,
  site,
  opens,
  closes,
  founded,
  city,
}: Noise): readonly string[] {
  return [
    `Vorverkauf ab ${day(saleFrom, 'plain')}`,
    `Kasse geöffnet Mo–Fr ${bare(opens)}–${bare(closes)} Uhr`,
    `Tel. ${phone}`,
    site,
    `Gefördert von der Stadt ${city} und der Sparkasse`,
    `Demnächst: Winterball am ${day(next, 'short')}`,
    `Seit ${founded} in der Nachbarschaft`,
    'Parkplätze hinter dem Haus. Bitte keine Hunde.',
  ]
}
