import { type SeededRandom, seededRandom } from '@surehand/testing'
import type { Network } from './network.ts'
import { readMessages, receivedRecord } from './phone-actions.ts'
import type { Content, Phone, WhatsAppRecord } from './record.ts'
import type { Settings } from './settings.ts'
import type { Call, Change, Message } from './whatsapp-state.ts'

/** What happens by itself after a change: vendors answer, a call rings out. */
export type Consequences = {
  readonly of: (change: Change) => void
  /** Timers end with a process: calls go on ringing, vendors answer what they had not answered. */
  readonly resume: () => void
  readonly stop: () => void
}

export function createConsequences(
  network: Network,
  append: (records: readonly WhatsAppRecord[]) => void,
): Consequences {
  const { state, now } = network
  const timers = new Set<NodeJS.Timeout>()

  function after(delayMs: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, delayMs)
    timers.add(timer)
  }

  function ring(call: Call): void {
    after(state.settings.ringMs, () => {
      if (call.state === 'ringing')
        append([{ kind: 'call-changed', id: call.id, state: 'missed', atMs: now() }])
    })
  }

  function answer(message: Message): void {
    const phone = state.phones.get(message.phone)
    if (phone === undefined || !state.settings.vendorsAnswer) return
    const planned = planAnswer(phone, message, state.settings)
    if (planned === undefined) return
    after(planned.readAfterMs, () => append(readMessages(network, phone.number)))
    const { reply } = planned
    if (reply === undefined) return
    after(reply.afterMs, () => {
      const content = { kind: 'text', text: reply.text } as const
      const quotes = reply.isQuoting ? message.id : undefined
      append([receivedRecord(network, phone.number, content, quotes)])
    })
  }

  return {
    of(change) {
      if (change.kind === 'call' && change.state === 'ringing') ring(change.call)
      if (change.kind === 'status' && change.status === 'delivered') answer(change.message)
    },
    resume() {
      for (const call of state.calls.values()) if (call.state === 'ringing') ring(call)
      for (const messages of state.conversations.values()) {
        const unanswered = messages.findLastIndex(({ direction }) => direction === 'in') + 1
        for (const message of messages.slice(unanswered))
          if (message.status === 'delivered' || message.status === 'read') answer(message)
      }
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** What a vendor that answers by itself does with a message. */
export type Answer = {
  readonly readAfterMs: number
  /** Undefined: this vendor reads and does not answer. */
  readonly reply:
    | { readonly afterMs: number; readonly text: string; readonly isQuoting: boolean }
    | undefined
}

type Phrases = {
  readonly yes: readonly string[]
  readonly later: readonly string[]
  readonly no: readonly string[]
}

// Scripted phrases: the vendors of the demo are no model and no person.
const PHRASES: Readonly<Record<Phone['language'], Phrases>> = {
  en: {
    yes: [
      'Yes we have it, {price} RWF',
      'In stock. {price} RWF',
      'yes, {k}k',
      'We have it, {price} frw. Open until 8pm',
    ],
    later: ['Not now, but tomorrow at 10am. {price} RWF', 'We get it tomorrow, {k}k'],
    no: ['Sorry, out of stock', 'No, we do not have it', 'no but I know someone who may have it'],
  },
  fr: {
    yes: ['Oui, disponible. {price} FRW', 'oui dispo, {k}k', 'On en a, {price} francs'],
    later: ['Dispo demain 15h, {price} FRW', 'Pas maintenant, demain matin. {k}k'],
    no: ['Désolé, rupture de stock', "Non, on n'en a pas"],
  },
  rw: {
    yes: ['Yego turayifite, ni {price} RWF', 'Ndayifite, {k}k', 'Irahari, {price} frw'],
    later: ['Ejo mu gitondo iraboneka, {price} RWF'],
    no: ['Ntayo dufite', 'Oya, yashize'],
  },
}

/** What things cost, in steps of 500 RWF. */
const PRICE_STEPS: Readonly<Record<string, readonly [number, number]>> = {
  pharmacy: [3, 30],
  electronics: [20, 300],
  hardware: [4, 90],
  groceries: [1, 20],
  clothing: [8, 80],
  'auto parts': [20, 260],
}
const ANY_PRICE: readonly [number, number] = [4, 60]

/** The answer of a vendor to a message; undefined for one that asks nothing. */
function planAnswer(
  phone: Phone,
  message: Message,
  { seed, maxAnswerMs }: Pick<Settings, 'seed' | 'maxAnswerMs'>,
): Answer | undefined {
  if (phone.role !== 'vendor' || !isQuestion(message.content)) return undefined
  const vendor = seededRandom(`${seed}/vendor/${phone.number}`)
  const isOftenSilent = vendor.is(0.15)
  const random = seededRandom(`${seed}/answer/${phone.number}/${textOf(message.content)}`)
  const readAfterMs = random.whole(0, Math.floor(maxAnswerMs / 3))
  if (random.is(isOftenSilent ? 0.7 : 0.05)) return { readAfterMs, reply: undefined }
  return {
    readAfterMs,
    reply: {
      afterMs: random.whole(Math.floor(maxAnswerMs / 3), maxAnswerMs),
      text: writeReply(phone, random),
      isQuoting: random.is(0.5),
    },
  }
}

function writeReply({ language, category = '' }: Phone, random: SeededRandom): string {
  const phrases = PHRASES[language]
  const kind = random.is(0.65) ? phrases.yes : random.is(0.4) ? phrases.later : phrases.no
  const [low, high] = PRICE_STEPS[category.replaceAll('_', ' ')] ?? ANY_PRICE
  const price = random.whole(low, high) * 500
  return random
    .pick(kind)
    .replace('{price}', random.is(0.5) ? String(price) : price.toLocaleString('en-US'))
    .replace('{k}', String(price / 1_000))
}

function isQuestion(content: Content): boolean {
  return content.kind === 'template' || content.kind === 'buttons' || /\?/.test(textOf(content))
}

function textOf(content: Content): string {
  return 'text' in content ? content.text : ''
}
