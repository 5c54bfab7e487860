import { isToolError } from '@surehand/core'
import type { PackServices } from '@surehand/core/host'
import { storeTurn } from '../providers/stored-transcripts.ts'
import { recordSiteEvent } from '../session/record-conversion.ts'
import type { SessionEvent } from '../session/session-channel.ts'
import type { Visitor } from '../session/visitor.ts'
import type { Intent } from './intent.ts'
import { type AgentModel, findAgentModel, runModelSteps } from './model-steps.ts'
import {
  add,
  applyCoupon,
  bookAppointment,
  cancelAppointment,
  changeLine,
  checkOut,
  search,
} from './shopping-steps.ts'
import { openTalk, type StepResult, type Talk, TalkState } from './talk.ts'
import { readWish, understand } from './understand.ts'

export type TurnRequest = {
  readonly services: PackServices
  readonly visitor: Visitor
  /** The widget's id of the turn: a repetition of the message repeats no effect. */
  readonly turn: string
  readonly text: string
  readonly signal: AbortSignal
  readonly publish: (event: SessionEvent) => Promise<void>
}

const KEPT_MS = 8 * 3_600_000

/** Answers one sentence of a visitor by calling tools: by rules, or with a model if there is one. */
export async function runTurn(request: TurnRequest): Promise<void> {
  const { services, visitor, turn, text, publish } = request
  const state = await readTalk(services, visitor)
  const { timeZone = 'UTC', locale } = visitor.person
  const options = { now: services.now(), timeZone, locale }
  const { language, intents } = understand(text, options)
  const plan = continueBooking(state, intents, () => readWish(text, { ...options, language }))
  const talk = await openTalk({ ...request, language, state })
  const model = findAgentModel(services)
  try {
    const {
      texts,
      options: links,
      last,
    } = await (model === undefined || wantsPerson(plan)
      ? runSteps(talk, plan)
      : runModel(talk, model, text))
    await writeTalk(services, visitor, { ...last, language })
    const keep = talk.site.contract.transcripts
    await storeTurn(services, visitor, { keep, said: text, answered: texts.join(' ') })
    await publish({
      kind: 'turn',
      turn,
      type: 'agent_final',
      text: texts.join(' '),
      ...(links === undefined ? {} : { options: [...links] }),
    })
  } catch (thrown) {
    if (!request.signal.aborted && !isToolError(thrown)) throw thrown
    const why = request.signal.aborted ? '' : talk.phrases.failed((thrown as Error).message)
    await publish({ kind: 'turn', turn, type: 'error', text: why, state: 'cancelled' })
  }
}

// The answer to "Which day?" is a day, whatever else it could mean.
function continueBooking(
  { booking }: TalkState,
  intents: readonly Intent[],
  wish: () => Extract<Intent, { do: 'book' }>['wish'],
): readonly Intent[] {
  const [first] = intents
  const isOpen = first?.do === 'unknown' || first?.do === 'search' || first?.do === 'book'
  if (booking === undefined || !isOpen) return intents
  const found = wish()
  if (found.day === undefined) return intents
  const what = first.do === 'book' && first.what !== '' ? first.what : booking.what
  return [{ do: 'book', what, wish: found }]
}

// A person is called by rules: a model must not stand in the way.
function wantsPerson(plan: readonly Intent[]): boolean {
  return plan.some((intent) => intent.do === 'person')
}

async function runModel(talk: Talk, model: AgentModel, text: string) {
  const result = await runModelSteps(talk, model, text)
  return {
    texts: [result.text],
    options: result.options,
    last: { ...talk.state, ...result.state },
  }
}

async function runSteps(talk: Talk, plan: readonly Intent[]) {
  const texts: string[] = []
  let links: StepResult['options']
  let last = talk.state
  for (const intent of plan) {
    talk.signal.throwIfAborted()
    const result = await runStep({ ...talk, state: last }, intent)
    texts.push(result.text)
    links = result.options ?? links
    last = { ...last, ...result.state }
    if (result.stop === true) break
  }
  return { texts, options: links, last }
}

function runStep(talk: Talk, intent: Intent): Promise<StepResult> {
  switch (intent.do) {
    case 'search':
      return search(talk, intent)
    case 'add':
      return add(talk, intent)
    case 'setQuantity':
    case 'remove':
      return changeLine(talk, intent)
    case 'coupon':
      return applyCoupon(talk, intent)
    case 'showCart':
      return goTo(talk, '/cart')
    case 'checkout':
      return checkOut(talk)
    case 'book':
      return bookAppointment(talk, intent)
    case 'cancelBooking':
      return cancelAppointment(talk)
    case 'goto':
      return goTo(talk, { home: '/', blog: '/blog', help: '/help' }[intent.page])
    case 'suggest':
      return suggest(talk)
    case 'person':
      return callPerson(talk)
    case 'help':
      return Promise.resolve({ text: talk.phrases.help })
    case 'unknown':
      return notUnderstood(talk, intent.text)
  }
}

async function goTo(talk: Talk, path: string): Promise<StepResult> {
  await talk.delta(talk.phrases.heading(path))
  await talk.call('navigation.goto', { path })
  return { text: talk.phrases.heading(path) }
}

async function suggest(talk: Talk): Promise<StepResult> {
  const answer = await talk.call('search.suggestNext', { context: 'catalog' })
  const { options = [] } = (answer.data ?? {}) as {
    options?: readonly { readonly label: string; readonly url: string }[]
  }
  return {
    text: talk.phrases.suggestions,
    options: options.map(({ label, url }) => ({ title: label, url })),
  }
}

async function callPerson({
  services,
  visitor,
  turn,
  site,
  phrases,
  state,
}: Talk): Promise<StepResult> {
  const text = `${state.results[0]?.title ?? 'No product'}; cart ${state.cartId ?? 'none'}`
  await recordSiteEvent(services, visitor, { kind: 'handoff', text, key: `handoff ${turn}` })
  return { text: phrases.person(site.contract.handoff), stop: true }
}

async function notUnderstood(
  { services, visitor, turn, phrases }: Talk,
  text: string,
): Promise<StepResult> {
  const event = {
    kind: 'not_understood',
    text: text.slice(0, 200),
    key: `unknown ${turn}`,
  } as const
  await recordSiteEvent(services, visitor, event)
  return { text: phrases.notUnderstood, stop: true }
}

/** What is remembered of a conversation; empty at its beginning. */
export async function readTalk(
  { values }: Pick<PackServices, 'values'>,
  { tenant, session }: Visitor,
): Promise<TalkState> {
  const stored = await values.get(tenant, talkKey(session))
  return TalkState.parse(stored === undefined ? {} : JSON.parse(stored))
}

export async function writeTalk(
  { values }: Pick<PackServices, 'values'>,
  { tenant, session }: Visitor,
  state: TalkState,
): Promise<void> {
  await values.set(tenant, talkKey(session), JSON.stringify(state), KEPT_MS)
}

function talkKey(session: string): string {
  return `site/talk/${session}`
}
