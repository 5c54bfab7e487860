import { linkToPage } from '@surehand/bridge/widget/page-link'
import { openSession, send } from './api.ts'
import { createApprovals } from './approval.ts'
import { createConversation, setState } from './conversation.ts'
import { element, label } from './elements.ts'
import { offerTools } from './offered-tools.ts'
import { change, claimTab, newId, state } from './storage.ts'
import { readStream, type ServerEvent } from './stream.ts'
import { chooseTexts, type Texts } from './texts.ts'
import { emit } from './turn-events.ts'
import { canListen, createListener, speak } from './voice.ts'

const script = document.currentScript as HTMLScriptElement
const { key = '', origins = '', locales = '' } = script.dataset
const { texts, language } = chooseTexts(
  navigator.languages,
  locales.split(' ').filter((locale) => locale !== ''),
)

const page = Promise.withResolvers<string>()
const ready = Promise.withResolvers<Ready>()
type Ready = {
  readonly listen: () => void
  readonly open: () => void
  readonly show: (id: string) => Promise<void>
}
const link = linkToPage({
  origins: origins.split(' '),
  onStatus: (report) => void postReports([report]),
  onConnect({ origin, isCalled }) {
    page.resolve(origin)
    if (isCalled) void ready.promise.then(({ open }) => open())
  },
  tools: offerTools({
    async open() {
      const { listen } = await ready.promise
      const isNew = state().token === null
      await openSession(key, await page.promise)
      if (isNew) listen()
    },
    showApproval: async (id) => (await ready.promise).show(id),
    origin: () => page.promise,
  }),
})

async function postReports(reports: readonly object[]): Promise<void> {
  if (state().token === null) return
  const body = { tab: state().tab, reports }
  await send('/site/reports', { body, keepalive: true }).catch(() => undefined)
}

function start(): void {
  writeTexts(texts)
  const captions = createCaptions(language)
  const conversation = createConversation({
    texts,
    say: captions.say,
    key,
    origin: () => page.promise,
    onSession: () => listenToServer(),
    goto: (url) => void gotoPage(url),
  })
  const approvals = createApprovals({ texts, readBack: captions.say, note: conversation.note })
  const voice = createListener({
    language: navigator.language,
    onSpeech: conversation.bargeIn,
    onUtterance(text, beganAt) {
      if (!approvals.answer(text, beganAt)) void conversation.ask(text, true)
    },
    onChange(isOn) {
      change({ isListening: isOn })
      captions.setAloud(isOn)
      element('microphone').setAttribute('aria-pressed', String(isOn))
      label('microphone', isOn ? texts.stopSpeaking : texts.speak)
      setState(isOn ? texts.listening : '')
    },
  })

  async function takeEvent(event: ServerEvent): Promise<void> {
    switch (event.kind) {
      case 'execute': {
        const order = event.order as Parameters<typeof link.execute>[0]
        await postReports([await link.execute(order)])
        return
      }
      case 'turn':
        takeTurn(event, conversation)
        return
      case 'approval':
        await approvals.show(String(event.approvalId))
        return
      case 'answer':
        conversation.takeAnswer(String(event.callId), String(event.text))
        return
      case 'ended':
        change({ token: null })
        approvals.hide()
        conversation.note(event.reason === 'replaced' ? texts.replaced : endText(event.reason))
    }
  }

  const listenToServer = (): void =>
    void readStream({ onEvent: takeEvent, onState: showConnection(conversation) })

  const { setOpen, open } = connectControls(conversation, approvals, voice)
  ready.resolve({
    listen: listenToServer,
    open,
    show(id) {
      setOpen(true)
      return approvals.show(id)
    },
  })
  if (state().token !== null) void page.promise.then(listenToServer)
  emit('ready')
  if (state().isListening) voice.start()
}

/** Tells the visitor about the connection, and goes on with what was interrupted. */
function showConnection(conversation: Conversation) {
  let wasLost = false
  return (next: 'connected' | 'lost' | 'refused'): void => {
    if (next === 'refused') {
      change({ token: null })
      conversation.note(texts.expired)
      return
    }
    const isWorking = state().turn !== null
    setState(next === 'lost' ? texts.offline : isWorking ? texts.thinking : '')
    if (next === 'connected' && wasLost) conversation.resume()
    wasLost = next === 'lost'
  }
}

function takeTurn(event: ServerEvent, conversation: Conversation): void {
  const { type, turn, text, options } = event as unknown as {
    readonly type: string
    readonly turn: string
    readonly text: string
    readonly options?: readonly { readonly title: string; readonly url: string }[]
  }
  if (type === 'agent_tool') emit('agent_tool', `${event.tool} ${event.state}`)
  else if (type === 'agent_delta') conversation.takeDelta(turn, text)
  else
    conversation.takeFinal(
      turn,
      { from: 'agent', text, ...(options === undefined ? {} : { options }) },
      type === 'error' ? 'error' : 'agent_final',
    )
}

const endText = (reason: unknown): string => (reason === 'stopped' ? texts.stopped : texts.expired)

async function gotoPage(url: string): Promise<void> {
  const origin = await page.promise
  const address = new URL(url, origin)
  if (address.origin !== origin) return
  const path = `${address.pathname}${address.search}${address.hash}`
  await link.execute({ id: `own-${newId()}`, command: { do: 'goto', path } })
}

function writeTexts(words: Texts): void {
  document.documentElement.lang = language
  for (const [id, text] of [
    ['approve', words.approve],
    ['deny', words.deny],
    ['consent-text', words.consent],
    ['consent-yes', words.consentYes],
    ['consent-no', words.consentNo],
  ] as const)
    element(id).textContent = text
  label('launcher', words.open)
  label('close', words.close)
  label('send', words.send)
  label('microphone', words.speak)
  label('log', words.conversation)
  element<HTMLInputElement>('text').placeholder = words.placeholder
  const [message] = document.getElementsByTagName('label')
  if (message) message.textContent = words.message
}

type Conversation = ReturnType<typeof createConversation>
type Approvals = ReturnType<typeof createApprovals>
type Voice = ReturnType<typeof createListener>

function connectControls(conversation: Conversation, approvals: Approvals, voice: Voice) {
  function setOpen(isOpen: boolean): void {
    change({ isOpen })
    document.body.className = isOpen ? 'opened' : 'closed'
    element('panel').hidden = !isOpen
    element('launcher').hidden = isOpen
    element('launcher').setAttribute('aria-expanded', String(isOpen))
    link.resize(isOpen ? 'opened' : 'closed')
  }
  function open(): void {
    setOpen(true)
    if (state().log.length === 0) conversation.note(texts.greeting)
    // When the frame is shown: what is not drawn takes no focus.
    requestAnimationFrame(() => element('text').focus())
  }
  element('launcher').addEventListener('click', open)
  function close(): void {
    conversation.bargeIn()
    voice.stop()
    setOpen(false)
    element('launcher').focus()
  }
  element('close').addEventListener('click', close)
  addEventListener('keydown', ({ key: pressed }) => {
    if (pressed === 'Escape') close()
  })
  const field = element<HTMLInputElement>('text')
  element('ask').addEventListener('submit', (event) => {
    event.preventDefault()
    const text = field.value.trim()
    if (text === '') return
    field.value = ''
    if (!approvals.answer(text, performance.now())) void conversation.ask(text, false)
  })
  connectMicrophone(voice)
  setOpen(state().isOpen)
  return { setOpen, open }
}

function connectMicrophone(voice: Voice): void {
  element('microphone').hidden = !canListen()
  element('microphone').addEventListener('click', () => {
    if (voice.isOn()) voice.stop()
    else if (state().hasConsent) voice.start()
    else {
      element('consent').hidden = false
      element('consent-yes').focus()
    }
  })
  element('consent-yes').addEventListener('click', () => {
    change({ hasConsent: true })
    element('consent').hidden = true
    voice.start()
  })
  element('consent-no').addEventListener('click', () => {
    element('consent').hidden = true
    element('microphone').focus()
  })
}

void claimTab().then(start)

export type Captions = {
  /**
   * In the log at once; where the visitor speaks with the widget, aloud and as a caption, too. Tells
   * whether the visitor could hear or read all of it.
   */
  readonly say: (text: string) => Promise<boolean>
  readonly setAloud: (isAloud: boolean) => void
}

/** What the agent says, as a caption and aloud. */
function createCaptions(language: string): Captions {
  let isAloud = false
  return {
    say(text) {
      // Who types reads the log; a caption below would say everything twice.
      element('caption').textContent = isAloud ? text : ''
      emit('tts_play', text)
      return isAloud ? speak(text, language) : Promise.resolve(true)
    },
    setAloud(next) {
      isAloud = next
    },
  }
}
