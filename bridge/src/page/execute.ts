import { act } from './act.ts'
import { findCandidates } from './candidates.ts'
import { fill } from './fields.ts'
import { describeForm, findForm, submitForm } from './forms.ts'
import { clearHighlights, highlight } from './highlight.ts'
import { goTo } from './journey.ts'
import { recall, remember, setJourney } from './memory.ts'
import type { Command } from './messages.ts'
import { behaviour, insert, pageUrl } from './natives.ts'
import { type Refusal, type Report, refuse, type Value } from './reply.ts'
import { findTarget } from './targets.ts'

/** How long a page may take to leave after a form was sent. */
export const EXECUTE_MS = 10_000
// Doing these twice would be seen or stored twice.
const ONCE = ['goto', 'open', 'fillField', 'submitForm', 'act']

export type Send = (report: Report) => void

/** Carries out a command once, however often it arrives, and answers each time. */
export function execute(id: string, command: Command, send: Send, nonce: string): void {
  const isOnce = ONCE.includes(command.do)
  const before = isOnce ? recall(id) : undefined
  if (before !== undefined) {
    send(repeat(id, before))
    return
  }
  const answer = (report: Report): void => {
    if (isOnce) remember(id, report)
    send(report)
  }
  // Recorded before it is done: a command that makes the tab leave must not be done again there.
  if (isOnce) remember(id, null)
  try {
    const done = perform(id, command, nonce)
    if (done !== 'leaving') answer({ type: 'result', id, value: done ?? {} })
    else awaitLeaving(id, answer)
    if (command.do === 'goto') goTo(id, command.path, send)
  } catch (error) {
    answer(toError(id, error))
  }
}

function repeat(id: string, before: Report | null): Report {
  if (before?.type === 'error') return before
  const value = before?.type === 'result' ? before.value : { url: pageUrl() }
  return { type: 'result', id, value: { ...value, repeated: true } }
}

function perform(id: string, command: Command, nonce: string): Value | 'leaving' | void {
  switch (command.do) {
    case 'goto':
      return { url: addressOf(command.path) }
    case 'highlight':
      return highlight(findTarget(command.selector))
    case 'scrollTo':
      return scroll(command)
    case 'open':
      return open(command.url, command.target)
    case 'fillField':
      return fill(findTarget(command.selector), command.value)
    case 'submitForm':
      return after(id, () => submitForm(findForm(command.formSelector), command.validate))
    case 'act':
      return after(id, () => act(command))
    case 'candidates':
      return { candidates: findCandidates(command.words) }
    case 'describeForm':
      return { form: describeForm(findForm(command.formSelector)) }
    case 'prefetch':
      return prefetch(command.urls, command.mode, nonce)
    case 'clearHighlights':
      return clearHighlights()
  }
}

function addressOf(path: string): string {
  const { origin, href } = new URL(path, location.origin)
  if (origin !== location.origin) refuse('not_allowed', 'Another site.')
  return href
}

function after(id: string, doIt: () => boolean): Value | 'leaving' {
  // The browser may begin to leave before `doIt` returns.
  setJourney({ id, kind: 'submit' })
  try {
    if (doIt()) return 'leaving'
  } catch (error) {
    setJourney(null)
    throw error
  }
  setJourney(null)
  return { url: pageUrl() }
}

// The next page of the site answers. An answer without a page, such as a download, leaves this one.
function awaitLeaving(id: string, answer: Send): void {
  setTimeout(() => {
    setJourney(null)
    answer({ type: 'result', id, value: { url: pageUrl() } })
  }, EXECUTE_MS)
}

function scroll({ selector, to }: Extract<Command, { do: 'scrollTo' }>): void {
  const behavior = behaviour()
  if (selector) findTarget(selector).scrollIntoView({ block: 'start', behavior })
  else if (to === 'anchor') findTarget(':target').scrollIntoView({ behavior })
  else scrollTo({ top: to === 'bottom' ? document.documentElement.scrollHeight : 0, behavior })
}

function open(url: string, target: '_blank' | '_self'): void {
  if (target === '_self') {
    location.assign(url)
    return
  }
  // Opened empty and cut off first: the other site must never get hold of this window.
  const opened = window.open('about:blank', '_blank')
  if (!opened) refuse('not_allowed', 'Tab blocked.')
  opened.opener = null
  opened.location.replace(url)
}

function toError(id: string, error: unknown): Report {
  const refusal = error instanceof Error ? { code: 'unsupported', message: 'Not possible.' } : error
  return { ...(refusal as Refusal), type: 'error', id }
}

/** Asks the browser to load pages of this site beforehand. It ignores what it has loaded already. */
function prefetch(paths: readonly string[], mode: 'prefetch' | 'prerender', nonce: string): void {
  const urls = paths
    .map((path) => new URL(path, location.origin))
    .filter(({ origin }) => origin === location.origin)
    .map(({ href }) => href)
  if (HTMLScriptElement.supports?.('speculationrules'))
    insert('script', {
      type: 'speculationrules',
      nonce,
      textContent: JSON.stringify({ [mode]: [{ source: 'list', urls, eagerness: 'immediate' }] }),
    })
  else for (const href of urls) insert('link', { rel: 'prefetch', href })
}
