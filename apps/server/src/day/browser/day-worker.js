// The service worker of the page of the day. It keeps the last page that was read, so that it opens
// without a connection. It runs in the browser.

const STORE = 'day'
const ASSETS = ['/day.js', '/day.webmanifest', '/day-icon.png', '/favicon.svg']

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(ASSETS)))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname === '/day') event.respondWith(readPage(request))
  else if (ASSETS.includes(pathname)) event.respondWith(readAsset(request))
})

async function readPage(request) {
  const store = await caches.open(STORE)
  try {
    const response = await fetch(request)
    if (response.ok) await store.put('/day', response.clone())
    // Signed out: what the last person saw must not be shown to the next.
    else if (response.status === 401) await store.delete('/day')
    return response
  } catch (failure) {
    const kept = await store.match('/day')
    if (kept === undefined) throw failure
    // The page says that it is not of now.
    const text = (await kept.text()).replace('<main id="day"', '<main id="day" data-kept')
    return new Response(text, { headers: kept.headers })
  }
}

async function readAsset(request) {
  const store = await caches.open(STORE)
  try {
    const response = await fetch(request)
    if (response.ok) await store.put(request, response.clone())
    return response
  } catch (failure) {
    const kept = await store.match(request)
    if (kept === undefined) throw failure
    return kept
  }
}
