import { addDays, dayOf, startOfDay } from '@surehand/dates'
import { ContactBody, parse } from '../api/read-body.ts'
import { bookSlot, cancelBooking, holdSlot, readBooking, readHold } from '../booking/bookings.ts'
import { POLICY_TEXT } from '../booking/policy.ts'
import { RESOURCES, type Resource } from '../booking/resources.ts'
import {
  describeSlot,
  findNextSlot,
  findSlot,
  HORIZON_DAYS,
  planSlots,
  type Slot,
} from '../booking/slots.ts'
import { notFound, Refusal } from '../refusal.ts'
import { money, type Shop, TIME_ZONE } from '../shop.ts'
import { answerOnce } from '../store/answer-once.ts'
import { type Html, html } from '../web/html.ts'
import { type FormFields, readForm } from '../web/read-form.ts'
import { seeOther } from '../web/respond.ts'
import type { Visit } from '../web/route.ts'
import { contactFields } from './field.ts'
import { formSecrets, renderPage } from './layout.ts'
import { alert, breadcrumbs, formatDay, formatMoney, formatTime } from './parts.ts'

const DAYS_A_PAGE = 14
const PICTURES: Readonly<Record<string, string>> = {
  fitting: 'navy-suit-jacket',
  alteration: 'sewing-kit',
  'wedding-flowers': 'blush-garden-roses',
  'bouquet-workshop': 'market-bouquet',
}

export function appointmentsPage(visit: Visit): Response {
  const main = html`<div class="wrap"><header class="page-head"><p class="eyebrow">Appointments</p><h1>An hour of our time</h1><p class="lead">Choose whom you want to see. You pay at the shop.</p></header>
<ul class="grid two">${RESOURCES.map((resource) => resourceCard(visit.shop, resource))}</ul><p class="small">${POLICY_TEXT}</p></div>`
  return renderPage(visit, {
    title: 'Appointments',
    description: 'Fittings, alterations, wedding flowers and workshops.',
    main,
    jsonLd: RESOURCES.map((resource) => serviceData(visit.shop.origin, resource)),
  })
}

function resourceCard(
  shop: Shop,
  { id, name, description, durationMinutes, price }: Resource,
): Html {
  const next = findNextSlot(shop, id)
  return html`<li class="card side"><img class="card-picture" src="/images/${PICTURES[id] ?? 'red-roses'}.svg" alt="" width="600" height="720" loading="lazy"><div class="card-text"><h2><a href="/appointments/${id}" data-action="booking.openResource">${name}</a></h2><p>${description}</p><p class="price">${durationMinutes} minutes, ${price === 0 ? 'free' : formatMoney(money(price))}</p>${next !== undefined && html`<p class="small">Next: ${formatDay(next.startMs)}, ${formatTime(next.startMs)}</p>`}</div></li>`
}

function serviceData(origin: string, { id, name, description, price }: Resource): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Service',
    name,
    description,
    url: `${origin}/appointments/${id}`,
    offers: { '@type': 'Offer', price: (price / 100).toFixed(2), priceCurrency: 'EUR' },
    potentialAction: { '@type': 'ReserveAction', target: `${origin}/appointments/${id}` },
  }
}

export function slotsPage(visit: Visit, problem?: string): Response {
  const { shop, params, url, visitor } = visit
  const resource = RESOURCES.find(({ id }) => id === params.resourceId)
  if (resource === undefined) throw notFound('This appointment')
  const page = Math.min(Math.max(Math.trunc(Number(url.searchParams.get('page'))) || 0, 0), 3)
  const first = addDays(dayOf(shop.now(), TIME_ZONE), page * DAYS_A_PAGE)
  const slots = planSlots(shop, {
    resourceId: resource.id,
    fromMs: startOfDay(first, TIME_ZONE),
    toMs: startOfDay(addDays(first, DAYS_A_PAGE), TIME_ZONE),
    partySize: 1,
  }).map((slot) => describeSlot(shop, slot, visitor.session))
  const days = Map.groupBy(slots, ({ start }) => start.slice(0, 10))
  const link = (to: number, label: string) =>
    html`<a class="button quiet" href="/appointments/${resource.id}?page=${to}" data-action="booking.page">${label}</a>`
  const main = html`<div class="wrap">${breadcrumbs([
    ['/', 'Home'],
    ['/appointments', 'Appointments'],
    [url.pathname, resource.name],
  ])}
<header class="page-head"><h1>${resource.name}</h1><p class="lead">${resource.description}</p><p class="price">${resource.durationMinutes} minutes, ${resource.price === 0 ? 'free' : formatMoney(money(resource.price))}${resource.capacity > 1 && html`, up to ${resource.capacity} people`}</p></header>${alert(problem)}
<section aria-label="Free times" class="days">${[...days].map(([, ofDay]) => dayOfSlots(visit, ofDay))}</section>
<nav class="buttons" aria-label="Further times">${page > 0 && link(page - 1, 'Earlier')} ${(page + 1) * DAYS_A_PAGE < HORIZON_DAYS && page < 3 && link(page + 1, 'Later')}</nav>
<p class="small">Times are those of Vienna. ${POLICY_TEXT}</p></div>`
  return renderPage(visit, {
    title: resource.name,
    description: resource.description,
    main,
    jsonLd: [serviceData(shop.origin, resource)],
    ...(problem !== undefined && { status: 409 }),
  })
}

function dayOfSlots(visit: Visit, slots: readonly Slot[]): Html {
  const day = slots[0]?.start ?? ''
  return html`<form class="day" action="/appointments/holds" method="post" data-action="booking.slotForm">${formSecrets(visit)}<h2>${formatDay(Date.parse(day))}</h2><div class="times">
${slots.map(({ slotId, start, state, heldByYou }) => {
  const isFree = state === 'free' || heldByYou
  const time = formatTime(Date.parse(start))
  return html`<button class="time" type="submit" name="slotId" value="${slotId}" data-action="booking.chooseSlot" data-slot="${slotId}"${!isFree && html` disabled`}>${time}<span class="hidden"> on ${formatDay(Date.parse(start))}</span>${heldByYou && html`<span class="small"> yours</span>`}${!isFree && html`<span class="hidden">, taken</span>`}</button>`
})}</div></form>`
}

export async function submitHold(visit: Visit): Promise<Response> {
  const { shop, visitor } = visit
  const form = await readForm(visit)
  const slotId = form.text('slotId')
  try {
    const { body } = answerOnce(shop, { key: `${form.key}_${slotId}`, request: slotId }, () => ({
      status: 303,
      body: holdSlot(shop, { slotId, session: visitor.session }),
    }))
    return seeOther(`/appointments/holds/${String(body)}`)
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    const { resource } = findSlot(slotId)
    return slotsPage({ ...visit, params: { resourceId: resource.id } }, thrown.message)
  }
}

type Problem = { readonly message: string; readonly form: FormFields }

export function holdPage(visit: Visit, problem?: Problem): Response {
  const { shop, params } = visit
  const { holdId, slotId, state, expiresAt } = readHold(shop, params.holdId ?? '')
  const { resource, startMs, endMs } = findSlot(slotId)
  if (state !== 'held')
    return slotsPage(
      { ...visit, params: { resourceId: resource.id } },
      'The time is no longer held for you. Choose it again.',
    )
  const main = html`<div class="wrap"><header class="page-head"><p class="eyebrow">${resource.name}</p><h1><time datetime="${new Date(startMs).toISOString()}">${formatDay(startMs)}, ${formatTime(startMs)}–${formatTime(endMs)}</time></h1><p class="lead">Held for you until ${formatTime(Date.parse(expiresAt))}.</p></header>${alert(problem?.message)}
<div class="columns"><form class="stack" action="/appointments/holds/${holdId}" method="post" data-action="booking.form">${formSecrets(visit)}
<fieldset><legend>Who comes</legend>${contactFields({ name: problem?.form.text('name'), email: problem?.form.text('email'), phone: problem?.form.text('phone') })}
<div class="field"><label for="notes">Notes <span class="small">(optional)</span></label><textarea id="notes" name="notes" rows="3" maxlength="1000" data-action="booking.notes">${problem?.form.text('notes') ?? ''}</textarea></div></fieldset>
<p class="buttons"><button type="submit" data-action="booking.submit">Book this time</button> <a href="/appointments/${resource.id}" data-action="booking.openResource">Another time</a></p></form>
<aside class="summary" aria-label="Summary"><dl class="totals"><div><dt>Price</dt><dd>${resource.price === 0 ? 'Free' : formatMoney(money(resource.price))}</dd></div><div><dt>You pay</dt><dd>at the shop</dd></div></dl><p class="small">${POLICY_TEXT}</p></aside></div></div>`
  return renderPage(visit, {
    title: 'Book',
    description: 'Who comes.',
    main,
    isPrivate: true,
    ...(problem !== undefined && { status: 409 }),
  })
}

export async function submitBooking(visit: Visit): Promise<Response> {
  const { shop, params, visitor } = visit
  const form = await readForm(visit)
  const { slotId } = readHold(shop, params.holdId ?? '')
  try {
    const customer = parse(
      ContactBody,
      {
        name: form.text('name'),
        email: form.text('email') || undefined,
        phone: form.text('phone').replace(/[\s/-]/g, '') || undefined,
      },
      'contact',
    )
    const { body } = answerOnce(shop, { key: form.key, request: slotId }, () => ({
      status: 303,
      body: bookSlot(shop, {
        slotId,
        session: visitor.session,
        expectedPrice: money(findSlot(slotId).resource.price),
        customer,
        notes: form.text('notes').slice(0, 1000),
      }),
    }))
    return seeOther(`/bookings/${String(body)}`)
  } catch (thrown) {
    if (thrown instanceof Refusal) return holdPage(visit, { message: thrown.message, form })
    throw thrown
  }
}

export function bookingPage(visit: Visit, problem?: string): Response {
  const booking = readBooking(visit.shop, visit.params.bookingId ?? '')
  const { title, start, end, state, policy, confirmation, price, fee } = booking
  const isAhead = Date.parse(start) > visit.shop.now()
  const cancelForm = html`<form class="stack other" action="/bookings/${booking.bookingId}/cancellation" method="post" data-action="booking.cancelForm">${formSecrets(visit)}<input type="hidden" name="fee" value="${policy.fee.amount}"><h2>Cancel</h2><p>${policy.text} ${policy.fee.amount === 0 ? 'Now it costs nothing.' : html`Now it costs <b>${formatMoney(policy.fee)}</b>.`}</p><button class="quiet" type="submit" data-action="booking.cancel">Cancel the appointment</button></form>`
  const main = html`<div class="wrap narrow"><header class="page-head"><p class="eyebrow">Appointment ${confirmation}</p><h1>${state === 'booked' ? 'See you then' : 'Cancelled'}</h1><p class="lead" data-booking-state="${state}">${title}: <time datetime="${start}">${formatDay(Date.parse(start))}, ${formatTime(Date.parse(start))}–${formatTime(Date.parse(end))}</time></p></header>${alert(problem)}
<p>${state === 'booked' ? html`Lindengasse 7, first floor. The price is ${price.amount === 0 ? 'nothing' : formatMoney(price)}, paid at the shop.` : html`The time is free for others again.${fee !== undefined && fee.amount > 0 && html` The fee is ${formatMoney(fee)}.`}`}</p>
${state === 'booked' && isAhead && cancelForm}</div>`
  return renderPage(visit, {
    title: `Appointment ${confirmation}`,
    description: title,
    main,
    isPrivate: true,
  })
}

export async function submitCancellation(visit: Visit): Promise<Response> {
  const { shop, params } = visit
  const bookingId = params.bookingId ?? ''
  const form = await readForm(visit)
  try {
    answerOnce(shop, { key: form.key, request: bookingId }, () => {
      cancelBooking(shop, { bookingId, expectedFee: money(Number(form.text('fee'))) })
      return { status: 303, body: null }
    })
    return seeOther(`/bookings/${encodeURIComponent(bookingId)}`)
  } catch (thrown) {
    if (thrown instanceof Refusal) return bookingPage(visit, thrown.message)
    throw thrown
  }
}
