// The script of the page of the day. The page works without it; with it, forms are sent without
// loading the page, and what is written without a connection is stored on the device and sent
// later, each form once by its key. It runs in the browser.

const QUEUE = 'forms'

function openQueue() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('day', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(QUEUE, { autoIncrement: true })
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
}

async function inQueue(mode, work) {
  const database = await openQueue()
  try {
    const transaction = database.transaction(QUEUE, mode)
    const request = work(transaction.objectStore(QUEUE))
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** The forms that this page is sending itself. */
const underWay = new Set()

/** One after the other, in all tabs: a form that is sent twice at once would be refused once. */
let turn = Promise.resolve()
function inTurn(work) {
  if (navigator.locks) return navigator.locks.request('day', work)
  turn = turn.then(work, work)
  return turn
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function say(message, kind, href) {
  const line = document.createElement('p')
  line.className = kind
  line.textContent = message
  if (href) {
    const link = document.createElement('a')
    link.href = href
    link.textContent = 'Review it'
    line.append(' ', link)
  }
  document.querySelector('#said').replaceChildren(line)
}

/** Sends a form; undefined where the server could not be reached. */
async function send(entries) {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  let response
  try {
    response = await fetch('/day', {
      method: 'POST',
      body: form,
      headers: { accept: 'application/json' },
    })
  } catch {
    return undefined
  }
  if (response.status === 401) return { signIn: true, message: 'Sign in again to send this.' }
  const isAnswer = response.headers.get('content-type')?.startsWith('application/json')
  if (!isAnswer) return response.status >= 500 ? undefined : { message: 'This was not accepted.' }
  return response.json()
}

async function submit(form, button) {
  const entries = [...new FormData(form, button)].filter(([name]) => name !== 'key')
  entries.push(['key', newKey()])
  // Stored first: a page that is closed while it sends loses nothing.
  const id = await inQueue('readwrite', (store) => store.add(entries))
  underWay.add(id)
  const answer = await inTurn(() => send(entries))
  underWay.delete(id)
  if (answer === undefined || answer.signIn) {
    form.reset()
    const words = answer?.message ?? 'No connection. This is stored here and sent later.'
    return say(words, 'note', answer?.signIn && '/sign-in?next=/day')
  }
  await inQueue('readwrite', (store) => store.delete(id))
  if (answer.isDone) form.reset()
  await renew()
  say(answer.message, answer.isDone ? 'done' : 'danger', answer.href)
}

/** Sends what was stored, in the order in which it was written. */
function sendStored() {
  return inTurn(sendAll)
}

async function sendAll() {
  const stored = await inQueue('readonly', (store) => store.getAllKeys())
  const keys = stored.filter((key) => !underWay.has(key))
  let sent = 0
  let refused
  for (const key of keys) {
    const entries = await inQueue('readonly', (store) => store.get(key))
    if (entries === undefined) continue
    const answer = await send(entries)
    if (answer === undefined || answer.signIn) break
    await inQueue('readwrite', (store) => store.delete(key))
    if (answer.isDone) sent += 1
    else refused = answer.message
  }
  if (sent === 0 && refused === undefined) return
  await renew()
  if (refused === undefined)
    say(`${sent} stored ${sent === 1 ? 'form was' : 'forms were'} sent.`, 'done')
  else say(`A stored form was not accepted: ${refused}`, 'danger')
}

/** Shows the present state, without touching what is being typed. */
async function renew() {
  const response = await fetch('/day', { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!response?.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [old, now] = [document, fresh].map((one) => one.querySelectorAll('#day > section'))
  if (old.length !== now.length) return
  for (const [index, part] of old.entries()) part.replaceWith(now[index])
}

document.addEventListener('submit', (event) => {
  if (!event.target.matches('form[data-day]')) return
  event.preventDefault()
  submit(event.target, event.submitter)
})
addEventListener('online', sendStored)
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') sendStored()
})

if (document.querySelector('#day')) {
  // Read once more through the worker, which then has a page to show without a connection.
  navigator.serviceWorker?.addEventListener('controllerchange', renew)
  navigator.serviceWorker?.register('/day-worker.js', { scope: '/day' })
  const { dataset } = document.querySelector('#day')
  if ('kept' in dataset) say(`No connection. This is the state of ${dataset.read}.`, 'note')
  else sendStored()
}
