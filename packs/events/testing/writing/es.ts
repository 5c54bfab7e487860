import { type CalendarDay, dateParts } from '../calendar-day.ts'
import type { Price } from '../generated-case.ts'
import { calendarName, capitalize, weekdayName } from './intl-names.ts'
import type { DayForm, Noise, Writing } from './writing.ts'

export function writeSpanish(): Writing {
  return {
    weekday,
    month,
    day,
    days,
    time,
    times: (from, to, habit) =>
      habit === 1 ? `de ${bare(from)} a ${bare(to)} h` : `${bare(from)} – ${time(to, habit)}`,
    doors: (doors, start) => `Apertura de puertas ${bare(doors)} h, inicio ${bare(start)} h`,
    weekly: (value) => `Todos los ${plural(value)}`,
    monthly: (value) => `El primer ${weekdayName(value, 'es')} de cada mes`,
    price,
    presents: (who) => `${who} presenta`,
    labels: { when: 'Cuándo', where: 'Dónde', admission: 'Entrada', time: 'Hora' },
    noise: noiseLines,
  }
}

function plural(value: number): string {
  const name = weekdayName(value, 'es')
  return name.endsWith('s') ? name : `${name}s`
}

function weekday(value: CalendarDay, form: 'long' | 'short'): string {
  return capitalize(calendarName(value, 'es', { weekday: form }))
}

function month(value: CalendarDay): string {
  return calendarName(value, 'es', { month: 'long' })
}

function day(value: CalendarDay, form: DayForm): string {
  const { year, date } = dateParts(value)
  switch (form) {
    case 'long':
      return `${weekday(value, 'long')}, ${date} de ${month(value)} de ${year}`
    case 'open':
      return `${weekday(value, 'long')} ${date} de ${month(value)}`
    case 'short':
      return `${weekday(value, 'short')} ${date} ${calendarName(value, 'es', { month: 'short' })}`
    case 'plain':
      return `${date} de ${month(value)} de ${year}`
    case 'figures':
      return `${weekday(value, 'long')} ${calendarName(value, 'es', { day: '2-digit', month: '2-digit', year: 'numeric' })}`
  }
}

function days(from: CalendarDay, to: CalendarDay): string {
  const [first, last] = [dateParts(from), dateParts(to)]
  const start = first.month === last.month ? `${first.date}` : `${first.date} de ${month(from)}`
  return `Del ${start} al ${last.date} de ${month(to)} de ${last.year}`
}

function bare(value: string): string {
  return value.replace(/^0/, '')
}

function time(value: string, habit: number): string {
  return habit === 0
    ? `${bare(value)} h`
    : habit === 1
      ? `${bare(value)} horas`
      : `${value.replace(':', '.')} h`
}

function price({ amount, currency }: Price, habit: number): string {
  if (amount === 0) return habit === 1 ? 'Entrada libre' : 'Entrada gratuita'
  const figures = Number.isInteger(amount) ? `${amount}` : amount.toFixed(2).replace('.', ',')
  const written = currency === 'MXN' ? `${figures} pesos` : `${figures} €`
  return habit === 1 ? `Entrada: ${written}` : habit === 2 ? `Entrada general ${written}` : written
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
    `Venta de entradas desde el ${day(saleFrom, 'plain')}`,
    `Taquilla de lunes a viernes, ${bare(opens)}–${bare(closes)} h`,
    `Tel. ${phone}`,
    site,
    `Con el apoyo del Ayuntamiento de ${city}`,
    `Próximamente: Baile de invierno, ${day(next, 'short').toLowerCase()}`,
    `Desde ${founded} en el barrio`,
    'Aparcamiento detrás del edificio. No se admiten perros.',
  ]
}
