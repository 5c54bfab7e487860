import { type CalendarDay, dateParts } from '../calendar-day.ts'
import type { Price } from '../generated-case.ts'
import { calendarName, capitalize, weekdayName } from './intl-names.ts'
import type { DayForm, Noise, Writing } from './writing.ts'

export function writeFrench(): Writing {
  return {
    weekday,
    month,
    day,
    days,
    time,
    times: (from, to, habit) =>
      habit === 1
        ? `de ${time(from, 1)} à ${time(to, 1)}`
        : `${time(from, habit)} – ${time(to, habit)}`,
    doors: (doors, start) =>
      `Ouverture des portes ${time(doors, 0)}, début du spectacle ${time(start, 0)}`,
    weekly: (value) => `Tous les ${weekdayName(value, 'fr')}s`,
    monthly: (value) => `Chaque premier ${weekdayName(value, 'fr')} du mois`,
    price,
    presents: (who) => `${who} présente`,
    labels: { when: 'Quand', where: 'Où', admission: 'Tarif', time: 'Heure' },
    noise: noiseLines,
  }
}

function weekday(value: CalendarDay, form: 'long' | 'short'): string {
  return capitalize(calendarName(value, 'fr', { weekday: form }))
}

function month(value: CalendarDay): string {
  return calendarName(value, 'fr', { month: 'long' })
}

function day(value: CalendarDay, form: DayForm): string {
  const { year, date } = dateParts(value)
  const dated = `${ordinal(date)} ${month(value)}`
  switch (form) {
    case 'long':
      return `${weekday(value, 'long')} ${dated} ${year}`
    case 'open':
      return `${weekday(value, 'long')} ${dated}`
    case 'short':
      return `${weekday(value, 'short')} ${date} ${calendarName(value, 'fr', { month: 'short' })}`
    case 'plain':
      return `${dated} ${year}`
    case 'figures':
      return `${weekday(value, 'long')} ${calendarName(value, 'fr', { day: '2-digit', month: '2-digit', year: 'numeric' })}`
  }
}

function ordinal(date: number): string {
  return date === 1 ? '1er' : `${date}`
}

function days(from: CalendarDay, to: CalendarDay): string {
  const [first, last] = [dateParts(from), dateParts(to)]
  const start =
    first.month === last.month ? ordinal(first.date) : `${ordinal(first.date)} ${month(from)}`
  return `Du ${start} au ${ordinal(last.date)} ${month(to)} ${last.year}`
}

function time(value: string, habit: number): string {
  const [hour = 0, minute = 0] = value.split(':').map(Number)
  const minutes = minute === 0 ? '' : String(minute).padStart(2, '0')
  return habit === 0
    ? `${hour}h${minutes}`
    : habit === 1
      ? `${hour} h${minutes && ` ${minutes}`}`
      : `${hour}h${String(minute).padStart(2, '0')}`
}

function price({ amount, currency }: Price, habit: number): string {
  if (amount === 0) return habit === 1 ? 'Entrée libre' : 'Entrée gratuite'
  const figures = Number.isInteger(amount) ? `${amount}` : amount.toFixed(2).replace('.', ',')
  const written = `${figures} ${currency === 'EUR' ? '€' : currency}`
  return habit === 1 ? `Entrée : ${written}` : habit === 2 ? `Plein tarif ${written}` : written
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
    `Billetterie ouverte à partir du ${day(saleFrom, 'plain')}`,
    `Guichet du lundi au vendredi, ${time(opens, 0)}–${time(closes, 0)}`,
    `Tél. ${phone}`,
    site,
    `Avec le soutien de la Ville de ${city}`,
    `Prochainement : Bal d’hiver, ${day(next, 'short').toLowerCase()}`,
    `Depuis ${founded} dans le quartier`,
    'Parking derrière la salle. Animaux non admis.',
  ]
}
