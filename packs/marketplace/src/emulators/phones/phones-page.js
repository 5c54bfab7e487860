// The page with the phones. It runs in the browser.

import { element, icon, messageElement } from './message-elements.js'

const places = {
  client: document.getElementById('clients'),
  vendor: document.getElementById('vendors'),
}
const otherPhones = document.getElementById('other-phones')
const vendorsAnswer = document.getElementById('vendors-answer')
const connection = document.getElementById('connection')
/** By number: what the emulator said last, and the elements of phones that are shown. */
const phones = new Map()
const shown = new Map()
/** Phones that a person opened, though nothing was written to them yet. */
const opened = new Set()

/** The middles of some sectors of Kigali (places/kigali-sectors.ts). */
const PLACES = [
  ['Kimironko', -1.9384, 30.1243],
  ['Remera', -1.9477, 30.1061],
  ['Nyarugenge', -1.9569, 30.0644],
  ['Nyamirambo', -1.9927, 30.0433],
  ['Kacyiru', -1.9376, 30.0805],
  ['Kicukiro', -1.9719, 30.0972],
  ['Gisozi', -1.9177, 30.0613],
]

async function act(number, action) {
  const response = await fetch(`/phones/${number}/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action),
  })
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({ error: 'It was not accepted.' }))
    say(error)
  }
}

function say(text) {
  connection.textContent = text
}

// ---- one phone

function initialsOf(name) {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('')
}

function openPhone(phone) {
  const { number, name, role } = phone
  const log = element('ol', {
    class: 'messages',
    role: 'log',
    tabindex: '0',
    'aria-label': `Messages of ${name}`,
  })
  const form = composer(phone)
  const about = element('p', { class: 'small' })
  const unread = element('span', { class: 'unread' })
  const online = element('input', {
    type: 'checkbox',
    class: 'online',
    title: 'Online',
    'aria-label': `The phone of ${name} is online`,
  })
  online.addEventListener('change', () => act(number, { type: 'online', isOnline: online.checked }))
  const callPlace = element('div', { class: 'call-place' })
  const section = element(
    'section',
    { class: `phone ${role}`, 'aria-label': `${name}, ${role}`, 'data-number': number },
    element(
      'header',
      {},
      element('span', { class: 'avatar', 'aria-hidden': 'true' }, initialsOf(name)),
      element('div', { class: 'who' }, element('h3', {}, name), about),
      unread,
      online,
    ),
    log,
    callPlace,
    form,
  )
  // Messages are read when the person looks at the phone, as far as a page can know.
  const read = () => {
    if ((phones.get(number)?.unread ?? 0) > 0) void act(number, { type: 'read' })
  }
  section.addEventListener('focusin', read)
  section.addEventListener('pointerdown', read)
  const place = {
    section,
    log,
    form,
    about,
    unread,
    online,
    callPlace,
    messages: new Map(),
    call: '',
  }
  shown.set(number, place)
  // In the page before it is filled: a list that is not shown cannot be scrolled to its end.
  places[role].append(section)
  return place
}

function composer(phone) {
  const { number, name } = phone
  const input = element('input', {
    name: 'text',
    autocomplete: 'off',
    'aria-label': `Message from ${name}`,
    placeholder: 'Message',
    maxlength: '4096',
  })
  const form = element(
    'form',
    { class: 'composer' },
    ...attachments(phone),
    input,
    element('button', { type: 'submit', 'aria-label': `Send as ${name}` }, icon('send')),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (text === '') return
    input.value = ''
    void act(number, { type: 'text', text })
  })
  return form
}

function attachments({ number, name }) {
  const file = element('input', {
    type: 'file',
    accept: 'image/jpeg,image/png,application/pdf',
    class: 'hidden',
    'aria-label': `Picture from ${name}`,
  })
  file.addEventListener('change', async () => {
    const [chosen] = file.files
    if (chosen === undefined) return
    const type = chosen.type.startsWith('image/') ? 'image' : 'document'
    await act(number, { type, mediaType: chosen.type, data: await base64Of(chosen) })
    file.value = ''
  })
  const choice = element(
    'select',
    { 'aria-label': `Location from ${name}`, title: 'Send a location' },
    element('option', { value: '' }, 'Send a location'),
    ...PLACES.map(([place]) => element('option', { value: place }, place)),
  )
  choice.addEventListener('change', () => {
    const found = PLACES.find(([place]) => place === choice.value)
    choice.value = ''
    if (found === undefined) return
    const [place, latitude, longitude] = found
    void act(number, { type: 'location', latitude, longitude, name: place })
  })
  const tool = (label, sign, run) =>
    element(
      'button',
      { type: 'button', 'aria-label': label, title: label, on: { click: run } },
      sign,
    )
  return [
    file,
    tool(`Send a picture as ${name}`, icon('picture'), () => file.click()),
    element('span', { class: 'places' }, icon('place'), choice),
    tool(`Send a voice note as ${name}`, icon('voice'), () => act(number, { type: 'voice' })),
  ]
}

async function base64Of(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

function showCall(place, { number, name, call }) {
  const state = call === null ? '' : `${call.id}/${call.state}`
  if (place.call === state) return
  place.call = state
  place.callPlace.replaceChildren()
  // What is behind the screen of a call cannot be used.
  for (const behind of [place.log, place.form]) behind.inert = call !== null
  if (call === null) return
  const button = (label, kind, action) =>
    element(
      'button',
      {
        type: 'button',
        class: kind,
        on: { click: () => act(number, { type: 'call', call: call.id, action }) },
      },
      label,
    )
  const isRinging = call.state === 'ringing'
  const screen = element(
    'div',
    { class: 'call', role: 'dialog', 'aria-label': `Call on the phone of ${name}` },
    element('span', { class: 'avatar large', 'aria-hidden': 'true' }, initialsOf(businessName)),
    element('p', { class: 'label' }, businessName),
    element('p', { role: 'status' }, isRinging ? 'WhatsApp voice call: ringing' : 'In the call'),
    element(
      'div',
      { class: 'row' },
      ...(isRinging
        ? [button('Decline', 'decline', 'reject'), button('Accept', 'accept', 'accept')]
        : [button('Hang up', 'decline', 'hang-up')]),
    ),
    element('p', { class: 'small' }, 'The emulator carries no sound.'),
  )
  place.callPlace.append(screen)
}

/** A message is drawn anew when its state changes; the button with the focus keeps it. */
function replaceKeepingFocus(old, item) {
  const index = [...old.querySelectorAll('button')].indexOf(document.activeElement)
  old.replaceWith(item)
  item.querySelectorAll('button')[index]?.focus()
}

function showMessages(place, phone) {
  const { log } = place
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40
  const ids = new Set(phone.messages.map(({ id }) => id))
  for (const [id, { item }] of place.messages)
    if (!ids.has(id)) {
      item.remove()
      place.messages.delete(id)
    }
  for (const message of phone.messages) {
    const text = JSON.stringify(message)
    const known = place.messages.get(message.id)
    if (known?.text === text) continue
    const item = messageElement(phone, message, { act, businessName })
    item.querySelector('img')?.addEventListener('load', () => {
      if (isAtEnd) log.scrollTop = log.scrollHeight
    })
    if (known === undefined) log.append(item)
    else replaceKeepingFocus(known.item, item)
    place.messages.set(message.id, { item, text })
  }
  if (isAtEnd) log.scrollTop = log.scrollHeight
}

function describePhone({ role, category, place, number }) {
  const what = role === 'client' ? ['client'] : [category?.replaceAll('_', ' ') ?? 'vendor']
  return [...what, ...(place === undefined ? [] : [place]), `+${number}`].join(' · ')
}

function showPhone(phone) {
  phones.set(phone.number, phone)
  if (!isShown(phone)) return
  const place = shown.get(phone.number) ?? openPhone(phone)
  place.about.textContent = describePhone(phone)
  place.unread.textContent = phone.unread > 0 ? String(phone.unread) : ''
  place.unread.setAttribute('aria-label', phone.unread > 0 ? `${phone.unread} unread` : '')
  place.online.checked = phone.isOnline
  place.section.classList.toggle('offline', !phone.isOnline)
  showMessages(place, phone)
  showCall(place, phone)
}

function isShown({ number, role, messages, call }) {
  return role === 'client' || messages.length > 0 || call !== null || opened.has(number)
}

/** In the order in which they were first written to, so that none jumps. */
function arrangePhones() {
  const order = [...phones.values()].filter(isShown).sort((left, right) => rank(left) - rank(right))
  for (const [role, place] of Object.entries(places)) {
    const sections = order.flatMap((one) =>
      one.role === role ? (shown.get(one.number)?.section ?? []) : [],
    )
    for (const [index, section] of sections.entries())
      if (place.children[index] !== section)
        place.insertBefore(section, place.children[index] ?? null)
  }
  const others = [...phones.values()].filter((phone) => !isShown(phone))
  const options = others.map(({ number, name, category, place }) =>
    element('option', { value: number }, [name, category, place].filter(Boolean).join(' · ')),
  )
  otherPhones.replaceChildren(
    element(
      'option',
      { value: '' },
      others.length === 1 ? '1 more phone' : `${others.length} more phones`,
    ),
    ...options,
  )
}

function rank({ role, messages, number }) {
  if (role === 'client') return -1
  return messages[0]?.atMs ?? (opened.has(number) ? Number.MAX_SAFE_INTEGER : 0)
}

// ---- the connection

let businessName = 'The business'

otherPhones.addEventListener('change', () => {
  const phone = phones.get(otherPhones.value)
  if (phone === undefined) return
  opened.add(phone.number)
  showPhone(phone)
  arrangePhones()
  shown.get(phone.number)?.section.querySelector('input[name=text]')?.focus()
})

vendorsAnswer.addEventListener('change', async () => {
  await fetch('/phones/settings', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vendorsAnswer: vendorsAnswer.checked }),
  })
})

const events = new EventSource('/phones/events')
events.addEventListener('open', () => say('Live'))
events.addEventListener('error', () => say('Not connected: the emulator has ended. Trying again.'))
events.addEventListener('settings', ({ data }) => {
  const settings = JSON.parse(data)
  businessName = settings.businessName
  document.getElementById('title').textContent = `Phones that talk to ${businessName}`
  vendorsAnswer.checked = settings.vendorsAnswer
})
events.addEventListener('phones', ({ data }) => {
  for (const phone of JSON.parse(data)) showPhone(phone)
  arrangePhones()
})
events.addEventListener('phone', ({ data }) => {
  showPhone(JSON.parse(data))
  arrangePhones()
})
