import { formatMoney } from './costs.ts'
import type { Itinerary, ItineraryEntry } from './itinerary.ts'

/** A plan as Markdown. */
export function planMarkdown(itinerary: Itinerary): string {
  const { plan, nights, days, costs, bookings, alternatives } = itinerary
  const sections = [
    `# ${escapeMarkdown(plan.title)}`,
    `${plan.startDate} to ${plan.endDate} (${nights} ${nights === 1 ? 'night' : 'nights'}), ${plan.travelers} ${plan.travelers === 1 ? 'traveller' : 'travellers'}: ${plan.destinations.map(escapeMarkdown).join(', ')}. ${plan.status === 'draft' ? 'This is a draft.' : ''}`.trim(),
    '## Days',
    ...days.flatMap(({ date, entries }) => [
      `### ${formatDay(date)}`,
      entries.length === 0 ? 'Free.' : entries.map(entryLine).join('\n'),
    ]),
    '## Costs',
    costLines(itinerary),
    ...(costs.isOverBudget ? ['The costs are above the budget.'] : []),
    '## Booked',
    bookings.length === 0
      ? 'Nothing is booked.'
      : bookings
          .map(
            ({ name, checkin, checkout, reference, total }) =>
              `- ${escapeMarkdown(name)}, ${checkin} to ${checkout}: ${reference}, ${total.amount} ${total.currency}`,
          )
          .join('\n'),
    ...(alternatives.length === 0
      ? []
      : ['## Alternatives', alternatives.map((text) => `- ${escapeMarkdown(text)}`).join('\n')]),
    ...(plan.components.notes.length === 0
      ? []
      : ['## Notes', plan.components.notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n')]),
  ]
  return `${sections.join('\n\n')}\n`
}

function entryLine(entry: ItineraryEntry): string {
  const { time, title, detail, isBooked, reference } = entry
  const when = time === undefined ? '' : `${time} `
  const more = detail === undefined || detail === '' ? '' : `: ${escapeMarkdown(detail)}`
  return `- ${when}**${escapeMarkdown(title)}**${more}${isBooked ? ` (booked as ${reference ?? 'unknown'})` : ''}`
}

function costLines({ costs }: Itinerary): string {
  const rows = costs.lines.map(
    ({ what, amount, currency }) =>
      `| ${escapeMarkdown(what)} | ${amount === undefined || currency === undefined ? 'not known' : formatMoney(amount, currency)} |`,
  )
  const totals = costs.totals.map(
    ({ amount, currency }) => `| **Total in ${currency}** | ${formatMoney(amount, currency)} |`,
  )
  const budget =
    costs.budget === undefined
      ? []
      : [`| Budget | ${formatMoney(costs.budget.amount, costs.budget.currency)} |`]
  return ['| what | cost |', '| --- | --- |', ...rows, ...totals, ...budget].join('\n')
}

/** A weekday and a date, as in Monday, 10 May 2027. */
export function formatDay(date: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeZone: 'UTC',
  }).format(new Date(`${date}T00:00:00Z`))
}

// Names come from searches: they must not become links or headings.
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll(/[\\`*_[\]<>#|!]/g, '\\$&')
}
