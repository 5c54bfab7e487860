import { ApiError, isUnanswered, openSession, send } from './api.ts'
import { create, element } from './elements.ts'
import { change, type Entry, newId, state, type Turn } from './storage.ts'
import type { Texts } from './texts.ts'
import { emit } from './turn-events.ts'
import { hush } from './voice.ts'

type Options = {
  readonly texts: Texts
  /** Shows a caption, and reads it aloud where the visitor speaks with the widget. */
  readonly say: (text: string) => Promise<boolean>
  readonly key: string
  readonly origin: () => Promise<string>
  /** Reads the stream of a session that has just been opened. */
  readonly onSession: () => void
  /** Opens a page of the site in the visitor's tab. */
  readonly goto: (url: string) => void
}

export type Conversation = ReturnType<typeof createConversation>

/** What is said by whom, shown and read aloud. */
export function createConversation(options: Options) {
  const { texts, say } = options
  let bubble: { readonly turn: string; readonly node: HTMLElement } | undefined

  const show = (entry: Entry): HTMLElement => showEntry(entry, options.goto)

  function add(entry: Entry): void {
    change({ log: [...state().log, entry] })
    show(entry)
  }

  const note = (text: string): void => {
    add({ from: 'agent', text })
    void say(text)
  }

  /** The end of a call that the visitor approved. The server tells it again after a lost answer. */
  function takeAnswer(call: string, text: string): void {
    if (state().log.some((entry) => entry.call === call && entry.text === text)) return
    add({ from: 'agent', text, call })
    void say(text)
  }

  /** The visitor interrupts: silence at once, and what has not begun is not begun. */
  function bargeIn(): void {
    hush()
    const { turn } = state()
    if (turn === null) return
    change({ turn: null })
    emit('barge_in')
    send(`/site/turns/${turn.id}`, { method: 'DELETE' }).catch(() => undefined)
    setState('')
  }

  async function ask(text: string, spoken: boolean): Promise<void> {
    bargeIn()
    add({ from: 'visitor', text })
    setState(texts.thinking)
    const turn = { id: `turn-${newId()}`, text, spoken }
    change({ turn })
    try {
      const isNew = state().token === null
      await openSession(options.key, await options.origin())
      if (isNew) options.onSession()
      await deliver(turn)
    } catch (error) {
      // The server may have it: it is sent again when the stream is connected, under the same id.
      if (isUnanswered(error) && state().token !== null) return
      if (state().turn?.id === turn.id) change({ turn: null })
      setState('')
      note(explain(error, texts))
    }
  }

  /** Sends a sentence again whose answer was lost with the connection. Nothing is done twice. */
  function resume(): void {
    const { turn } = state()
    if (turn !== null) deliver(turn).catch(() => undefined)
  }

  function takeDelta(turn: string, text: string): void {
    emit('agent_delta', text)
    void say(text)
    if (bubble?.turn === turn) bubble.node.replaceChildren(create('p', 'passing', text))
    else bubble = { turn, node: show({ from: 'agent', text }) }
  }

  function takeFinal(turn: string, entry: Entry, type: 'agent_final' | 'error'): void {
    emit(type, entry.text)
    if (bubble?.turn === turn) bubble.node.remove()
    bubble = undefined
    if (state().turn?.id === turn) change({ turn: null })
    setState('')
    if (entry.text === '') return
    add(entry)
    void say(entry.text)
  }

  for (const entry of state().log) show(entry)
  return { ask, bargeIn, note, resume, takeAnswer, takeDelta, takeFinal }
}

const deliver = ({ id, text, spoken }: Turn): Promise<unknown> =>
  send('/site/turns', { body: { turn: id, text, spoken, tab: state().tab } })

function explain(error: unknown, texts: Texts): string {
  const isExpired = error instanceof ApiError && error.status === 401
  if (isExpired) change({ token: null })
  const reason = error instanceof ApiError && error.message !== '' ? error.message : texts.failed
  emit('error', reason)
  return isExpired ? texts.expired : reason
}

function showEntry({ from, text, options = [] }: Entry, goto: Options['goto']): HTMLElement {
  const node = create('div', `entry ${from}`)
  node.append(create('p', '', text))
  for (const { title, url } of options) {
    const button = create('button', 'option', title) as HTMLButtonElement
    button.type = 'button'
    button.addEventListener('click', () => goto(url))
    node.append(button)
  }
  element('log').append(node)
  showNewest()
  return node
}

/** Scrolls the log to its end, also when it has less room than before. */
export function showNewest(): void {
  element('log').scrollTop = element('log').scrollHeight
}

export function setState(text: string): void {
  element('state').textContent = text
}
