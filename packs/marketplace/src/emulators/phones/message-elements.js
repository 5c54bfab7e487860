// How a message looks. It runs in the browser: text of messages is only ever set as text.

/** An element with attributes and children; strings become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'on')
      for (const [event, run] of Object.entries(value)) made.addEventListener(event, run)
    else if (value === true) made.setAttribute(key, '')
    else if (value !== false && value !== undefined) made.setAttribute(key, String(value))
  }
  made.append(...children)
  return made
}

const TICKS = {
  sent: ['✓', 'Sent'],
  delivered: ['✓✓', 'Delivered'],
  read: ['✓✓', 'Read'],
  failed: ['!', 'Not delivered'],
}

function timeOf(atMs) {
  return new Date(atMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

/** A message with what can be tapped below it. `act` does what was tapped. */
export function messageElement(phone, message, { act, businessName }) {
  const { id, direction, status, quoted, failure, atMs } = message
  const [tick, meaning] = TICKS[status]
  const ticks = element('span', { class: `ticks ${status}`, title: failure ?? meaning }, tick)
  ticks.append(element('span', { class: 'hidden' }, ` ${failure ?? meaning}`))
  // On a person's phone, messages of the business are on the left.
  const side = direction === 'in' ? 'own' : 'theirs'
  return element(
    'li',
    { class: `message ${side}`, 'data-id': id },
    element(
      'div',
      { class: 'bubble' },
      ...(quoted === undefined ? [] : [element('blockquote', {}, quoted)]),
      ...contentElements(phone, message, businessName),
      element(
        'p',
        { class: 'meta' },
        element('time', { datetime: new Date(atMs).toISOString() }, timeOf(atMs)),
        ticks,
      ),
    ),
    ...choiceElements(phone, message, act),
  )
}

function contentElements(phone, { content }, businessName) {
  switch (content.kind) {
    case 'media':
      return mediaElements(content)
    case 'location':
      return [mapElement(content)]
    case 'reaction':
      return [element('p', { class: 'emoji' }, content.emoji || '(reaction removed)')]
    case 'choice':
      return [element('p', { class: 'chosen' }, content.choice.title)]
    case 'call-permission':
      return [
        element('p', {}, content.response === 'accept' ? 'Allowed calls' : 'Did not allow calls'),
      ]
    case 'call-permission-request':
      return [
        element('p', { class: 'label' }, 'Asks to call you'),
        element('p', { class: 'text' }, content.text || `May ${businessName} call you?`),
      ]
    default:
      return [element('p', { class: 'text', lang: phone.language }, content.text)]
  }
}

function mediaElements({ type, mediaId, link, caption, isVoice }) {
  const source = mediaId === undefined ? undefined : `/phones/media/${mediaId}`
  const captions = caption === undefined ? [] : [element('p', { class: 'text' }, caption)]
  // A picture elsewhere is not loaded: this page shows nothing from other sites.
  if (source === undefined) return [element('p', { class: 'text' }, link ?? ''), ...captions]
  if (type === 'image')
    return [
      element('img', { src: source, alt: caption ?? 'Picture', loading: 'lazy' }),
      ...captions,
    ]
  if (type === 'audio')
    return [
      element('p', { class: 'label' }, isVoice ? 'Voice note' : 'Audio'),
      element('audio', { src: source, controls: true, preload: 'none' }),
    ]
  return [element('a', { href: source, download: caption ?? 'document' }, caption ?? 'Document')]
}

const ICONS = {
  picture: 'M4 6h4l2-2h4l2 2h4v13H4z M12 9a4 4 0 1 0 .01 0z',
  place: 'M12 21C6 14 6 4 12 4s6 10 0 17z M12 8a2 2 0 1 0 .01 0z',
  voice: 'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3z M6 11a6 6 0 0 0 12 0 M12 17v4',
  send: 'M3 4l18 8-18 8 3-8z M6 12h8',
}

/** Drawn here: not every computer has a font with such signs. */
export function icon(name) {
  const picture = svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' })
  picture.append(svg('path', { d: ICONS[name] }))
  return picture
}

function svg(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

function mapElement({ latitude, longitude, name, address }) {
  const picture = svg('svg', { viewBox: '0 0 220 100', class: 'map', 'aria-hidden': 'true' })
  // Streets that are always the same: no map is loaded.
  for (const path of ['M0 30 L220 70', 'M40 0 L90 100', 'M0 85 L220 15', 'M160 0 L140 100'])
    picture.append(svg('path', { d: path, class: 'street' }))
  picture.append(
    svg('path', { d: 'M110 72 C92 48 96 28 110 28 C124 28 128 48 110 72 Z', class: 'pin' }),
    svg('circle', { cx: '110', cy: '45', r: '6', class: 'hole' }),
  )
  return element(
    'div',
    { class: 'location' },
    picture,
    element('p', { class: 'label' }, name ?? 'Location'),
    element('p', { class: 'small' }, address ?? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`),
  )
}

function choiceElements({ number }, { id, content, direction }, act) {
  if (direction === 'in') return []
  const button = (title, action, description) =>
    element(
      'button',
      { type: 'button', class: 'choice', on: { click: () => act(number, action) } },
      title,
      ...(description === undefined ? [] : [element('small', {}, description)]),
    )
  const choose = (choice) => ({ type: 'choose', message: id, choice })
  const permissions = [
    button('Allow calls', { type: 'call-permission', response: 'accept' }),
    button('Not now', { type: 'call-permission', response: 'reject' }),
  ]
  switch (content.kind) {
    case 'buttons':
      return content.buttons.map((one) => button(one.title, choose(one.id)))
    case 'template':
      return [
        ...content.buttons.map((one) => button(one.title, choose(one.id))),
        ...(content.asksForCallPermission ? permissions : []),
      ]
    case 'call-permission-request':
      return permissions
    case 'list':
      return [
        element(
          'details',
          { class: 'list' },
          element('summary', {}, content.button),
          ...content.rows.map((row) => button(row.title, choose(row.id), row.description)),
        ),
      ]
    default:
      return []
  }
}
