/** The character for each state of a habit's day. */
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

/** Draws twelve weeks side by side, one row per weekday. */
export function drawStreakCalendar(weeks: readonly CalendarWeek[]): readonly string[] {
  const rows = WEEKDAYS.map(
    (name, weekday) =>
      `${name} ${weeks.map(({ days }) => MARKS[days[weekday]?.state ?? ''] ?? ' ').join(' ')}`,
  )
  return [`   ${formatMonths(weeks)}`, ...rows]
}

function formatMonths(weeks: readonly CalendarWeek[]): string {
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

/** Draws the last four weeks of a habit in one line. */
export function drawStreakLine(weeks: readonly CalendarWeek[]): string {
  return weeks
    .flatMap(({ days }) => days.map(({ state }) => MARKS[state] ?? ' '))
    .join('')
    .trim()
    .slice(-28)
}

/** Draws a share between 0 and 1 as a bar of this many columns. */
export function drawBar(share: number, columns: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * columns * 8)
  const drawn = '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
  return drawn.padEnd(columns, '░')
}

/** Draws amounts side by side as block characters; the largest fills the line. */
export function drawTicks(amounts: readonly number[]): string {
  const most = Math.max(...amounts, 0)
  return amounts
    .map((amount) =>
      amount <= 0 || most === 0 ? '·' : (TICKS[Math.ceil((amount / most) * 8) - 1] ?? '█'),
    )
    .join('')
}
