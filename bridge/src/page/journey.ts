import { clearHighlights } from './highlight.ts'
import { journey, remember, setJourney } from './memory.ts'
import { findAll, isVisible, pageUrl, readPlace } from './natives.ts'
import type { Report } from './reply.ts'

type Send = (report: Report) => void

const TIMEOUT_MS = 10_000
const LOOK_MS = 50
let watch: ReturnType<typeof setInterval> | undefined

/**
 * Goes to a page of the site. Its answer was given before; where the tab really ends up is reported
 * as a status, by this page or by the next one.
 */
export function goTo(id: string, path: string, send: Send): void {
  const { href } = new URL(path, location.origin)
  const earlier = journey()
  if (earlier) end(earlier.id, 'failed', send)
  setJourney({ id, kind: 'goto', path })
  send({ type: 'status', state: 'navigating', id, url: href.slice(0, 2_048) })
  if (href === location.href || !navigator.onLine) {
    end(id, navigator.onLine ? 'arrived' : 'failed', send)
    return
  }
  const from = location.href
  setTimeout(() => {
    if (journey()?.id !== id) return
    setJourney({ id, kind: 'goto' })
    leave(path, href)
  })
  let looks = 0
  clearInterval(watch)
  watch = setInterval(() => {
    looks += 1
    if (location.href !== from) end(id, 'arrived', send)
    else if (looks * LOOK_MS >= TIMEOUT_MS) end(id, 'failed', send)
  }, LOOK_MS)
}

/** By the site's own router, by a link of the page (routers listen to clicks), or by the browser. */
function leave(path: string, href: string): void {
  const asked = new CustomEvent('surehand:goto', { cancelable: true, detail: { path } })
  if (!window.dispatchEvent(asked)) return
  const link = findAll('a[href]').find(
    (one) =>
      (one as HTMLAnchorElement).href === href &&
      !(one as HTMLAnchorElement).target &&
      !(one as HTMLAnchorElement).download &&
      isVisible(one),
  )
  if (link) HTMLElement.prototype.click.call(link)
  else location.assign(href)
}

function end(id: string, state: 'arrived' | 'failed', send: Send): void {
  clearInterval(watch)
  setJourney(null)
  if (state === 'failed') clearHighlights()
  send({ type: 'status', state, id, ...readPlace() })
}

/** Reports where a journey that another page of the site began has ended. */
export function arrive(send: Send): void {
  const begun = journey()
  if (!begun) return
  const { id, kind, path } = begun
  // The page before was left for here while this goto was on its way to it.
  if (path) {
    setJourney(null)
    goTo(id, path, send)
    return
  }
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (kind === 'submit') {
    const report: Report = { type: 'result', id, value: { url: pageUrl() } }
    remember(id, report)
    send(report)
  }
  end(id, (entry?.responseStatus ?? 200) >= 400 ? 'failed' : 'arrived', send)
}
