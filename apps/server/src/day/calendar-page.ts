import { randomUUID } from 'node:crypto'
import type { Caller } from '@surehand/core'
import { reviewText } from '@surehand/core/host'
import { type CustomRoute, type Html, html, page, type ReceivedRequest } from '@surehand/http'
import { entryLine, INSTALLABLE } from './day-page.ts'
import type { DayContext } from './day-routes.ts'
import { addDays, dateIn, readDay, readEntries, type ShownEntry } from './read-day.ts'

const DAYS = 28
const DATE = /^\d{4}-\d\d-\d\d$/

/** The own calendar as a list of days, and the address under which programs subscribe to it. */
export function calendarRoutes(context: DayContext): readonly CustomRoute[] {
  return [
    {
      method: 'GET',
      path: '/calendar',
      auth: 'person',
      handle: (received) => showCalendar(context, received),
    },
    {
      method: 'POST',
      path: '/calendar',
      auth: 'person',
      maxBytes: 10_000,
      handle: (received) => changeFeed(context, received),
    },
  ]
}

async function showCalendar(
  { app, now }: DayContext,
  { request, caller: signedIn }: ReceivedRequest,
  feed?: Html,
): Promise<Response> {
  const caller = signedIn as Caller
  const { date: today, timeZone, can } = await readDay(app, caller, now())
  const given = new URL(request.url).searchParams.get('from') ?? ''
  const from = DATE.test(given) && !Number.isNaN(Date.parse(given)) ? given : today
  const entries = await readEntries(app, { ...caller, timeZone }, { from, days: DAYS })
  const body = html`<main><h1>Calendar</h1>
<p class="small">${reviewText(from)} to ${reviewText(addDays(from, DAYS - 1))}. All times are in ${timeZone}.</p>
${feed}
${entries === undefined ? html`<p class="note">There is no calendar here, or you have no permission to read it.</p>` : entries === 'unreadable' ? html`<p class="note">The calendar could not be read just now. Load the page again.</p>` : dayList(entries, { from, timeZone })}
<nav class="pager" aria-label="Weeks"><a href="/calendar?from=${addDays(from, -DAYS)}">Earlier</a><a href="/calendar?from=${addDays(from, DAYS)}">Later</a></nav>
${can('data.feed_address') ? feedForm() : undefined}
<p><a href="/day">My day</a></p></main>`
  return page(body, { title: 'Calendar', installable: INSTALLABLE })
}

function dayList(
  entries: readonly ShownEntry[],
  { from, timeZone }: { readonly from: string; readonly timeZone: string },
): Html {
  const days = new Map<string, ShownEntry[]>()
  for (const entry of entries) {
    const { dateTime } = entry.start
    const begins = dateTime.length === 10 ? dateTime : dateIn(Date.parse(dateTime), timeZone)
    const day = begins < from ? from : begins
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  if (days.size === 0) return html`<p>Nothing is in the calendar in these four weeks.</p>`
  return html`${[...days]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([day, list]) =>
        html`<h2>${reviewText(day)}</h2><ul class="list">${list.map((entry) => html`<li>${entryLine(entry, timeZone, day)}</li>`)}</ul>`,
    )}`
}

function feedForm(): Html {
  return html`<h2>In your calendar program</h2><p>A secret address, to which phones and calendar programs subscribe: the calendar, and what is due.</p>
<form method="post" action="/calendar"><input type="hidden" name="key" value="${randomUUID()}"><div class="answers"><button class="yes" name="change" value="keep">Show the address</button><button name="change" value="renew">Replace it</button><button name="change" value="close">Close it</button></div></form>`
}

async function changeFeed(context: DayContext, received: ReceivedRequest): Promise<Response> {
  const { request, caller } = received
  const isOurs = request.headers.get('origin') === new URL(context.publicUrl).origin
  const form = isOurs ? await request.formData().catch(() => undefined) : undefined
  if (form === undefined)
    return showCalendar(
      context,
      received,
      html`<p class="danger" role="alert">This form was not sent from a page of this server, and nothing was changed.</p>`,
    )
  const outcome = await context.app.runtime.call({
    tool: 'data.feed_address',
    input: { change: String(form.get('change') ?? 'keep') },
    caller: caller as Caller,
    surface: 'page',
    idempotencyKey: `calendar:${String(form.get('key') ?? '').slice(0, 100)}`,
  })
  if (outcome.status !== 'done')
    return showCalendar(
      context,
      received,
      html`<p class="danger" role="alert">${outcome.status === 'failed' ? outcome.error.message : 'This is not done yet. Look again in a moment.'}</p>`,
    )
  const { url, message } = outcome.data as { readonly url: string | null; readonly message: string }
  return showCalendar(
    context,
    received,
    html`<div class="done" role="status"><p>${message}</p>${url === null ? undefined : html`<pre><code>${url}</code></pre>`}</div>`,
  )
}
