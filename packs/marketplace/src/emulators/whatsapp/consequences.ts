import type { Network } from './network.ts'
import { readMessages, receivedRecord } from './phone-actions.ts'
import type { WhatsAppRecord } from './record.ts'
import { planAnswer } from './vendor-answers.ts'
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
