import { readSpokenAnswer } from '../../session/spoken-answer.ts'
import { ApiError, type ApprovalView, isUnanswered, send } from './api.ts'
import { showNewest } from './conversation.ts'
import { create, element } from './elements.ts'
import { change, state } from './storage.ts'
import type { Texts } from './texts.ts'

// What a person needs to read before they can mean it: a click that was meant for something else
// comes earlier.
const SETTLE_MS = 600
// For programs; the same is shown as text.
const NOT_SHOWN = ['amount', 'currency', 'language', 'confirm', 'method']

type Options = {
  readonly texts: Texts
  /** Says it aloud and as a caption; tells whether it was read to its end. */
  readonly readBack: (text: string) => Promise<boolean>
  readonly note: (text: string) => void
}

type Shown = { readonly view: ApprovalView; readBackAt: number | undefined; isDecided: boolean }

/** The visitor's approvals. They are decided with the visitor's own credential, here alone. */
export type Approvals = {
  readonly show: (id: string) => Promise<void>
  /** Takes a whole utterance as the answer; false where it is none. */
  readonly answer: (utterance: string, beganAt: number) => boolean
  readonly hide: (callIsOver?: string) => void
}

export function createApprovals({ texts, readBack, note }: Options): Approvals {
  let shown: Shown | undefined

  async function show(id: string): Promise<void> {
    const view = await send<ApprovalView>(`/site/approvals/${encodeURIComponent(id)}`)
    if (view.state !== 'pending') return hide()
    const current: Shown = { view, readBackAt: undefined, isDecided: false }
    shown = current
    change({ approval: id })
    render(view, texts)
    element('approval').hidden = false
    element('approval-text').scrollTop = 0
    showNewest()
    element('approval').focus()
    setTimeout(() => {
      if (shown === current) setDisabled(false)
    }, SETTLE_MS)
    await readAloud(current)
  }

  async function readAloud(current: Shown): Promise<void> {
    if (await readBack(readBackText(current.view, texts))) current.readBackAt = performance.now()
  }

  function answer(utterance: string, beganAt: number): boolean {
    if (shown === undefined || shown.isDecided) return false
    const verdict = readSpokenAnswer(utterance)
    if (verdict === undefined) return false
    const { readBackAt } = shown
    // A "yes" that was said before everything was read is about something else.
    if (verdict === 'approve' && (readBackAt === undefined || beganAt < readBackAt)) {
      note(texts.early)
      void readAloud(shown)
    } else void decide(verdict, utterance)
    return true
  }

  async function decide(verdict: 'approve' | 'deny', said?: string): Promise<void> {
    if (shown === undefined || shown.isDecided) return
    const { view } = shown
    shown.isDecided = true
    setDisabled(true)
    element('approval-hint').textContent = texts.deciding
    try {
      await send(`/site/approvals/${encodeURIComponent(view.id)}`, {
        body: { verdict, digest: view.digest, ...(said === undefined ? {} : { said }) },
      })
      if (shown?.view.id === view.id) hide()
      if (verdict === 'deny') note(texts.denied)
    } catch (error) {
      if (isUnanswered(error)) return askAgain(view)
      note(error instanceof ApiError && error.message !== '' ? error.message : texts.failed)
      if (shown?.view.id === view.id) await show(view.id).catch(() => hide())
    }
  }

  // The server may know the decision. The same one again does nothing twice, and tells the outcome.
  function askAgain({ id }: ApprovalView): void {
    note(texts.unanswered)
    if (shown?.view.id !== id) return
    shown.isDecided = false
    element('approval-hint').textContent = texts.unanswered
    setDisabled(false)
  }

  function hide(): void {
    shown = undefined
    change({ approval: null })
    element('approval').hidden = true
  }

  element('approve').addEventListener('click', () => void decide('approve'))
  element('deny').addEventListener('click', () => void decide('deny'))
  const { approval } = state()
  if (approval !== null)
    void show(approval).catch((error: unknown) => {
      // Without an answer it is still pending, and shown with the next page.
      if (!isUnanswered(error)) hide()
    })
  return { show, answer, hide }
}

function setDisabled(isDisabled: boolean): void {
  element<HTMLButtonElement>('approve').disabled = isDisabled
  element<HTMLButtonElement>('deny').disabled = isDisabled
}

function render({ asks, facts, changed }: ApprovalView, texts: Texts): void {
  element('approval-title').textContent = withReadableTimes(asks)
  element('approval-hint').textContent = texts.hint
  const changes = listOf(changed)
  element('approval-changed').hidden = changes.length === 0
  element('approval-changed').textContent = `${texts.changed} ${changes.join('; ')}`
  element('approval-facts').replaceChildren(
    ...factsOf(facts, texts).flatMap(([name, values]) => [
      create('dt', '', name),
      ...values.map((value) => create('dd', '', value)),
    ]),
  )
  setDisabled(true)
}

function factsOf(
  facts: ApprovalView['facts'],
  texts: Texts,
): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(facts ?? {})
    .filter(([name]) => !NOT_SHOWN.includes(name))
    .map(([name, value]) => [texts.facts[name] ?? name, listOf(value)] as const)
    .filter(([, values]) => values.length > 0)
}

/** What an approval says, as lines of text. */
function listOf(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  if (Array.isArray(value)) return value.flatMap(listOf)
  if (typeof value !== 'object') return [withReadableTimes(String(value))]
  const members = Object.entries(value).map(
    ([name, member]) => `${name}: ${listOf(member).join(', ')}`,
  )
  return [members.join(', ')]
}

const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})/g

const withReadableTimes = (text: string): string =>
  text.replaceAll(TIME, (time, zone) => `${readableTime(time)}${zone === 'Z' ? ' UTC' : ''}`)

function readableTime(text: string): string {
  // The time of the place: what stands in the text, not the visitor's own zone.
  const local = new Date(`${text.slice(0, 16)}:00Z`)
  return local.toLocaleString(navigator.language, {
    timeZone: 'UTC',
    dateStyle: 'full',
    timeStyle: 'short',
  })
}

/** The critical parameters, to be heard before the answer. */
function readBackText({ asks, facts }: ApprovalView, texts: Texts): string {
  const details = factsOf(facts, texts)
    .filter(([name]) => ![texts.facts.lines, texts.facts.subtotal].includes(name))
    .map(([name, values]) => `${name}: ${values.join(', ')}.`)
  return [withReadableTimes(asks), ...details].join(' ')
}
