// The service worker that shows notifications of waiting decisions. It caches nothing and
// intercepts no requests. It runs in the browser.

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data?.json() ?? { title: 'A decision is waiting' }
  const shown = self.registration.showNotification(title, {
    body,
    tag,
    icon: '/favicon.svg',
    data: { url: url ?? '/approvals' },
  })
  event.waitUntil(shown)
})

// A notification only opens the page; the person decides there.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data
  if (new URL(url, self.location.origin).origin !== self.location.origin) return
  event.waitUntil(self.clients.openWindow(url))
})
