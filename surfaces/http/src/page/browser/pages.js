// The script of the pages. No page depends on it: it keeps lists up to date, moves through them by
// keyboard, filters the tools of the start page, and copies samples. It runs in the browser.

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

document.addEventListener('keydown', moveByKeyboard)
const live = document.querySelector('main[data-live]')
if (live) keepCurrent(live)
for (const sample of document.querySelectorAll('.sample')) offerCopy(sample)
const search = document.querySelector('[data-searched]') && document.querySelector('[data-filter]')
if (search) filterAsTyped(search)
