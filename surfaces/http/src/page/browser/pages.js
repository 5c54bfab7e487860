// The script of the pages. No page depends on it: it keeps lists up to date, moves through them by
// keyboard, filters the tools of the start page, copies samples and subscribes to pushes. It runs in
// the browser.

const LOOK_EVERY_MS = 2_000

/** Replaces the list by its present state, without moving the focus or what is being typed. */
async function renew(main) {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  // Signed out meanwhile: the person sees it at the next click, and loses nothing that they read.
  if (!response.ok) return
  const text = await response.text()
  const now = new DOMParser().parseFromString(text, 'text/html')
  document.title = now.title
  for (const part of ['h1', '.list, h1 ~ p', '.pager']) {
    const [old, fresh] = [main.querySelector(part), now.querySelector(`main ${part}`)]
    if (old?.outerHTML === fresh?.outerHTML) continue
    const focused = document.activeElement?.getAttribute('href')
    if (old && fresh) old.replaceWith(fresh)
    else if (old) old.remove()
    else main.querySelector('.list, h1 ~ p')?.after(fresh)
    if (focused) main.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
  }
}

function keepCurrent(main) {
  let timer
  const look = async () => {
    clearTimeout(timer)
    // The server is out of reach for the moment: the next look tries again.
    if (!document.hidden) await renew(main).catch(() => undefined)
    timer = setTimeout(look, LOOK_EVERY_MS)
  }
  timer = setTimeout(look, LOOK_EVERY_MS)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) look()
  })
}

function isTyping({ target }) {
  return target.matches('input, textarea, select, [contenteditable]')
}

/** j and k move through the list, Enter opens (as for every link), / goes to the search. */
function moveByKeyboard(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
  const links = [...document.querySelectorAll('.list li:not([hidden]) > a')]
  const at = links.indexOf(document.activeElement)
  const next = { j: links[at + 1], k: links[at < 0 ? links.length - 1 : at - 1] }[event.key]
  const target = event.key === '/' ? document.querySelector('input[type=search]') : next
  if (!target) return
  event.preventDefault()
  target.focus()
}

function offerCopy(sample) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.querySelector('pre').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  sample.append(button)
}

/** Narrows a list on the page while its search is typed. */
function filterAsTyped(input) {
  const rows = [...document.querySelectorAll('[data-searched] > li')]
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    for (const row of rows)
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word))
  })
}

/** Subscribes this browser to pushes and sends the subscription with the form. */
async function subscribe(form) {
  const registration = await navigator.serviceWorker.register('/push-worker.js')
  await navigator.serviceWorker.ready
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: form.dataset.push,
  })
  const name = /\(([^;)]+)/.exec(navigator.userAgent)?.[1] ?? 'Browser'
  form.elements.subscription.value = JSON.stringify({ ...subscription.toJSON(), name })
  form.submit()
}

function offerPush(form) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    subscribe(form).catch(() => {
      const note = document.createElement('p')
      note.className = 'danger'
      note.setAttribute('role', 'alert')
      note.textContent =
        'This browser was not subscribed. Allow notifications for this site, then try again.'
      form.before(note)
    })
  })
}

document.addEventListener('keydown', moveByKeyboard)
const live = document.querySelector('main[data-live]')
if (live) keepCurrent(live)
for (const sample of document.querySelectorAll('.sample')) offerCopy(sample)
const search = document.querySelector('[data-searched]') && document.querySelector('[data-filter]')
if (search) filterAsTyped(search)
const push = document.querySelector('form[data-push]')
if (push && 'serviceWorker' in navigator && 'PushManager' in window) offerPush(push)
