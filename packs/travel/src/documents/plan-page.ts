import { formatMoney } from './costs.ts'
import { escapeHtml } from './html.ts'
import type { Itinerary, ItineraryDay, ItineraryEntry } from './itinerary.ts'
import { drawMap, type MapPoint, type MapTown } from './plan-map.ts'
import { formatDay } from './plan-markdown.ts'

/** A map of the page: its points are numbered in the order of the list below it. */
export type PageMap = {
  readonly title: string
  readonly points: readonly MapPoint[]
  readonly towns: readonly MapTown[]
  readonly isRoute: boolean
}

export type PageOptions = {
  readonly maps: readonly PageMap[]
  /** Shown to people who have the link: without notes and booking references. */
  readonly isShared: boolean
  readonly links?: readonly { readonly title: string; readonly href: string }[]
}

const STYLE = `
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#0f172a;max-width:46rem;margin:2rem auto;padding:0 1rem}
h1{margin:0 0 .25rem;line-height:1.2}h2{margin:2rem 0 .5rem;border-bottom:1px solid #cbd5e1}
h3{margin:1.25rem 0 .25rem;font-size:1rem}.quiet{color:#475569}ul,ol{margin:.25rem 0;padding-left:1.5rem}
.day{break-inside:avoid}.day ul{list-style:none;padding-left:0}.day li{display:grid;grid-template-columns:3.2rem 1fr}.time{font-variant-numeric:tabular-nums}
.tag{font-size:.75rem;border:1px solid #94a3b8;border-radius:.5rem;padding:0 .4rem;margin-left:.4rem}
.tag.booked{border-color:#15803d;color:#15803d}.over{color:#b91c1c}
table{border-collapse:collapse;width:100%}td,th{padding:.25rem .5rem .25rem 0;text-align:left;border-bottom:1px solid #e2e8f0}
td.money,th.money{text-align:right;font-variant-numeric:tabular-nums}figure{margin:1rem 0;break-inside:avoid}
svg.map{width:100%;height:auto;border:1px solid #cbd5e1;border-radius:.5rem}figcaption{font-size:.875rem;color:#475569}
@media print{body{margin:0;max-width:none;font-size:11pt}nav{display:none}}
`

/** A plan as a page to read and to print. It has no scripts and loads nothing from outside. */
export function planPage(itinerary: Itinerary, options: PageOptions): string {
  const { plan, nights, days } = itinerary
  const people = `${plan.travelers} ${plan.travelers === 1 ? 'traveller' : 'travellers'}`
  const length = `${nights} ${nights === 1 ? 'night' : 'nights'}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(plan.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(plan.title)}</h1>
<p class="quiet">${plan.startDate} to ${plan.endDate}, ${length}, ${people}: ${escapeHtml(plan.destinations.join(', '))}${plan.status === 'draft' ? '<span class="tag">draft</span>' : ''}</p>
${drawLinks(options.links ?? [])}
${options.maps.map(drawFigure).join('\n')}
<h2>Days</h2>
${days.map((day) => drawDay(day, options)).join('\n')}
<h2>Costs</h2>
${drawCosts(itinerary)}
<h2>Booked</h2>
${drawBookings(itinerary, options)}
${drawList('Alternatives', itinerary.alternatives)}
${options.isShared ? '' : drawList('Notes', plan.components.notes)}
</main>
</body>
</html>
`
}

function drawLinks(links: NonNullable<PageOptions['links']>): string {
  if (links.length === 0) return ''
  const items = links.map(
    ({ title, href }) => `<a href="${escapeHtml(href)}">${escapeHtml(title)}</a>`,
  )
  return `<nav>${items.join(' · ')}</nav>`
}

function drawFigure({ title, points, towns, isRoute }: PageMap): string {
  if (points.length === 0) return ''
  const items = points.map(({ label }) => `<li>${escapeHtml(label)}</li>`).join('')
  return `<figure>
${drawMap(points, { towns, isRoute, title })}
<figcaption>${escapeHtml(title)}<ol>${items}</ol></figcaption>
</figure>`
}

function drawDay({ date, entries }: ItineraryDay, options: PageOptions): string {
  const list =
    entries.length === 0
      ? '<p class="quiet">Free.</p>'
      : `<ul>${entries.map((entry) => drawEntry(entry, options)).join('')}</ul>`
  return `<section class="day"><h3>${formatDay(date)}</h3>${list}</section>`
}

function drawEntry(entry: ItineraryEntry, { isShared }: PageOptions): string {
  const { time, title, detail, url, isBooked, reference } = entry
  const name =
    url === undefined
      ? escapeHtml(title)
      : `<a href="${escapeHtml(url)}" rel="noreferrer nofollow">${escapeHtml(title)}</a>`
  const more =
    detail === undefined || detail === '' ? '' : ` <span class="quiet">${escapeHtml(detail)}</span>`
  // Who knows a reference may be able to change the booking.
  const as = isShared || reference === undefined ? '' : ` as ${escapeHtml(reference)}`
  const tag = isBooked ? `<span class="tag booked">booked${as}</span>` : ''
  return `<li><span class="time">${time ?? ''}</span><span>${name}${more}${tag}</span></li>`
}

function drawCosts({ costs }: Itinerary): string {
  if (costs.lines.length === 0) return '<p class="quiet">Nothing has been chosen yet.</p>'
  const rows = costs.lines.map(
    ({ what, amount, currency, isBooked }) =>
      `<tr><td>${escapeHtml(what)}${isBooked ? '<span class="tag booked">booked</span>' : ''}</td><td class="money">${amount === undefined || currency === undefined ? 'not known' : formatMoney(amount, currency)}</td></tr>`,
  )
  const totals = costs.totals.map(
    ({ amount, currency }) =>
      `<tr><th>Total in ${escapeHtml(currency)}</th><th class="money">${formatMoney(amount, currency)}</th></tr>`,
  )
  const budget =
    costs.budget === undefined
      ? ''
      : `<tr><td${costs.isOverBudget ? ' class="over"' : ''}>Budget${costs.isOverBudget ? ' (exceeded)' : ''}</td><td class="money">${formatMoney(costs.budget.amount, costs.budget.currency)}</td></tr>`
  return `<table><tbody>${rows.join('')}${totals.join('')}${budget}</tbody></table>`
}

function drawBookings({ bookings }: Itinerary, { isShared }: PageOptions): string {
  if (bookings.length === 0) return '<p class="quiet">Nothing is booked.</p>'
  const items = bookings.map(({ name, checkin, checkout, reference, confirmation, total }) => {
    const reading = isShared ? '' : `, ${escapeHtml(confirmation ?? reference)}`
    const money = isShared ? '' : `, ${escapeHtml(`${total.amount} ${total.currency}`)}`
    return `<li>${escapeHtml(name)}, ${checkin} to ${checkout}${reading}${money}</li>`
  })
  return `<ul>${items.join('')}</ul>`
}

function drawList(title: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  const lines = items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')
  return `<h2>${title}</h2><ul>${lines}</ul>`
}
