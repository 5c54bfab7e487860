/** How a day of a habit is drawn. */
const MARKS: Readonly<Record<string, string>> = {
  done: '■',
  missed: '·',
  open: '□',
  rest: ' ',
  before: ' ',
  ahead: ' ',
}
const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const TICKS = '▁▂▃▄▅▆▇█'

export type CalendarWeek = {
  readonly week_start: string
  readonly days: readonly { readonly state: string }[]
}

/** Twelve weeks side by side, a row a weekday: what a streak looks like. */
export function streakCalendar(weeks: readonly CalendarWeek[]): readonly string[] {
  const rows = WEEKDAYS.map(
    (name, weekday) =>
      `${name} ${weeks.map(({ days }) => MARKS[days[weekday]?.state ?? ''] ?? ' ').join(' ')}`,
  )
  return [`   ${monthsOver(weeks)}`, ...rows]
}

function monthsOver(weeks: readonly CalendarWeek[]): string {
  let line = ''
  for (const [index, { week_start }] of weeks.entries()) {
    const month = week_start.slice(5, 7)
    const isFirst = index === 0 || weeks[index - 1]?.week_start.slice(5, 7) !== month
    const at = index * 2
    if (isFirst && line.length <= at) line = `${line.padEnd(at)}${MONTHS[Number(month) - 1] ?? ''}`
  }
  return line
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The last weeks of a habit in one line. */
export function streakLine(weeks: readonly CalendarWeek[]): string {
  return weeks
    .flatMap(({ days }) => days.map(({ state }) => MARKS[state] ?? ' '))
    .join('')
    .trim()
    .slice(-28)
}

/** A share between 0 and 1 as a bar of so many columns. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * columns * 8)
  const drawn = '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
  return drawn.padEnd(columns, '░')
}

/** Amounts side by side, the largest as tall as a line. */
export function ticks(amounts: readonly number[]): string {
  const most = Math.max(...amounts, 0)
  return amounts
    .map((amount) =>
      amount <= 0 || most === 0 ? '·' : (TICKS[Math.ceil((amount / most) * 8) - 1] ?? '█'),
    )
    .join('')
}
