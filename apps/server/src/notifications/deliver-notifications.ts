import type { Caller } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import type { Approval, Clock, Question, ValueStore } from '@surehand/core/ports'
import { repeatEvery } from '@surehand/edge'
import { z } from 'zod'
import {
  type Channel,
  type ChannelContext,
  channelName,
  listChannels,
  type Message,
  type Sent,
  sendOn,
} from './channels.ts'
import type { StoredSettings } from './settings.ts'

/** A person who wants to hear of what waits. */
export type Recipient = { readonly caller: Caller; readonly settings: StoredSettings }

export type NotificationContext = {
  readonly values: ValueStore
  readonly clock: Clock
  readonly random: () => number
  readonly channels: () => Promise<ChannelContext>
  readonly onTrouble: (thrown: unknown) => void
  /** The tenants in which a person has settings. */
  readonly tenants: () => Promise<readonly string[]>
  readonly recipients: (tenant: string) => Promise<readonly Recipient[]>
  readonly approvals: (tenant: string) => Promise<readonly Approval[]>
  readonly questions: (tenant: string) => Promise<readonly Question[]>
  readonly mayDecide: (caller: Caller, approval: Approval) => boolean
  /** The person for whom a call was made, with the rights of today. */
  readonly callerOf: (item: Pick<Approval, 'tenant' | 'principal'>) => Promise<Caller | undefined>
  readonly compose: (waiting: Waiting, recipient: Recipient) => Message
  /** Called when a channel will never work again. */
  readonly onGone: (recipient: Recipient, channel: Channel) => Promise<void>
}

export type Waiting =
  | { readonly kind: 'approval'; readonly item: Approval }
  | { readonly kind: 'question'; readonly item: Question }

const LOOK_EVERY_MS = 1_000
// A node that dies while it sends is replaced after this time.
const HOLD_MS = 60_000
// How many ways are used at once: for one tenant, and in all.
const MOST = { tenant: 16, all: 64 }
/** Pauses between attempts; what waits usually expires before the last. */
const PAUSES_MS = [5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000]
// Longer than any request waits by default; a repeat after that would be a new message anyway.
const REMEMBERED_MS = 30 * 86_400_000

const Attempt = z.object({
  tries: z.number(),
  /** Not before this time: it is being sent, or pauses. Undefined: it is settled. */
  notBefore: z.number().optional(),
})
type Attempt = z.infer<typeof Attempt>

/** Tells people what waits for them until stopped. Every node may run it. */
export function startNotifications(context: NotificationContext): () => Promise<void> {
  const notifier = createNotifier(context)
  const stop = repeatEvery(LOOK_EVERY_MS, notifier.look, {
    clock: context.clock,
    onError: context.onTrouble,
  })
  return async () => {
    stop()
    await notifier.end()
  }
}

export type Notifier = {
  /** Begins to send what is due and does not wait for it. */
  readonly look: () => Promise<void>
  /** Resolves when nothing is being sent any more. */
  readonly end: () => Promise<void>
}

/**
 * What waits is stored, and so is each attempt to tell of it: after a restart the rest is sent, and
 * nothing twice. Each way to each person has its own queue, so one that hangs delays no other.
 */
export function createNotifier(context: NotificationContext): Notifier {
  /** By way to a person; one message at a time. */
  const underWay = new Map<string, { readonly tenant: string; readonly work: Promise<void> }>()
  const settled = new Set<string>()

  async function look(): Promise<void> {
    for (const tenant of await context.tenants()) {
      const recipients = await context.recipients(tenant)
      if (recipients.length === 0) continue
      const ways = new Map<string, Telling[]>()
      for (const waiting of await listWaiting(tenant, context))
        for (const recipient of recipients)
          if (await isConcerned(recipient, waiting, context))
            for (const telling of listTellings(waiting, recipient))
              if (!settled.has(telling.key))
                ways.set(telling.way, [...(ways.get(telling.way) ?? []), telling])
      for (const [way, tellings] of ways) if (hasRoom(tenant)) begin(way, tenant, tellings)
    }
    // What has expired is not listed any more; the set must not grow for ever.
    if (settled.size > 10_000) settled.clear()
  }

  // What finds no room is looked at again in the next round.
  function hasRoom(tenant: string): boolean {
    const own = [...underWay.values()].filter((one) => one.tenant === tenant)
    return own.length < MOST.tenant && underWay.size < MOST.all
  }

  function begin(way: string, tenant: string, tellings: readonly Telling[]): void {
    if (underWay.has(way)) return
    const work = tellInTurn(tellings)
      .catch(context.onTrouble)
      .finally(() => underWay.delete(way))
    underWay.set(way, { tenant, work })
  }

  // What could not be sent now is looked at again in the next round.
  async function tellInTurn(tellings: readonly Telling[]): Promise<void> {
    for (const telling of tellings) if (await tell(telling, context)) settled.add(telling.key)
  }

  return {
    look,
    async end() {
      while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ work }) => work))
    },
  }
}

async function listWaiting(
  tenant: string,
  { approvals, questions, clock }: NotificationContext,
): Promise<readonly Waiting[]> {
  const [asked, open] = await Promise.all([approvals(tenant), questions(tenant)])
  const nowMs = clock.now()
  const waiting: readonly Waiting[] = [
    ...asked.map((item) => ({ kind: 'approval', item }) as const),
    ...open
      .filter(({ from }) => from !== 'model')
      .map((item) => ({ kind: 'question', item }) as const),
  ]
  return waiting
    .filter(({ item }) => item.expiresAt > nowMs)
    .toSorted((one, other) => one.item.createdAt - other.item.createdAt)
}

function listTellings(waiting: Waiting, recipient: Recipient): readonly Telling[] {
  const { tenant, principal } = recipient.caller
  return listChannels(recipient.settings).map((channel) => {
    const way = JSON.stringify([tenant, principal, channelName(channel)])
    return { waiting, recipient, channel, way, key: attemptKey(waiting.item.id, way) }
  })
}

/**
 * A person hears of their own requests that they may decide, and an approver of those that the
 * person who asked may not decide; an approver who wants it, of everyone's.
 */
async function isConcerned(
  { caller, settings }: Recipient,
  { kind, item }: Waiting,
  { mayDecide, callerOf }: NotificationContext,
): Promise<boolean> {
  const isOwn = item.principal === caller.principal
  if (kind === 'question') return isOwn
  if (!mayDecide(caller, item)) return false
  // Who was asked to decide hears of it, whatever else they want to hear of.
  const isDelegate = item.delegation?.to === caller.principal
  if (isOwn || isDelegate || settings.requests === 'all' || item.kind === 'admin') return true
  const requester = await callerOf(item)
  return requester === undefined || !mayDecide(requester, item)
}

// The key does not name the person: it outlives what it is about.
function attemptKey(id: string, way: string): string {
  return `notified/${id}/${sha256(way).slice(0, 32)}`
}

type Telling = {
  readonly waiting: Waiting
  readonly recipient: Recipient
  readonly channel: Channel
  /** Names the channel and the person. */
  readonly way: string
  readonly key: string
}

/** True when nothing remains to be done. */
async function tell(
  { waiting, recipient, channel, key }: Telling,
  context: NotificationContext,
): Promise<boolean> {
  const { values, clock } = context
  const { tenant } = recipient.caller
  const expected = await values.get(tenant, key)
  const { tries, notBefore }: Attempt =
    expected === undefined ? { tries: 0, notBefore: 0 } : Attempt.parse(JSON.parse(expected))
  if (notBefore === undefined) return true
  if (notBefore > clock.now()) return false
  const held: Attempt = { tries: tries + 1, notBefore: clock.now() + HOLD_MS }
  const value = JSON.stringify(held)
  // False: another node was faster.
  if (!(await values.replace(tenant, key, { expected, value, ttlMs: REMEMBERED_MS }))) return false
  const message = context.compose(waiting, recipient)
  const sent = await sendOn(channel, message, tenant, await context.channels())
  const next = nextAttempt(sent, tries, context)
  await values.set(tenant, key, JSON.stringify({ tries: tries + 1, ...next }), REMEMBERED_MS)
  if (sent.kind !== 'sent' && next.notBefore === undefined) {
    context.onTrouble(
      new Error(`A notification by ${channel.kind} was not delivered. ${sent.trouble}`),
    )
    if (sent.kind === 'never') await context.onGone(recipient, channel)
  }
  return next.notBefore === undefined
}

function nextAttempt(
  sent: Sent,
  tries: number,
  { clock, random }: NotificationContext,
): Pick<Attempt, 'notBefore'> {
  const pauseMs = sent.kind === 'again' ? PAUSES_MS[tries] : undefined
  return pauseMs === undefined ? {} : { notBefore: clock.now() + pauseMs * (0.8 + 0.4 * random()) }
}
