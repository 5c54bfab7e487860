import type { PackServices } from '@surehand/core/host'
import type { PageOrder } from '../bridge-messages.ts'
import { callAsVisitor } from '../session/call-as-visitor.ts'
import type { SessionHub } from '../session/session-hub.ts'
import type { Visitor } from '../session/visitor.ts'
import { PHRASES } from './phrases.ts'
import { readTalk } from './run-turn.ts'
import { pathOf } from './talk.ts'

type Context = {
  readonly services: PackServices
  readonly visitor: Visitor
  readonly hub: SessionHub
}

const KEPT_MS = 5 * 60_000

/**
 * After a page could not be opened: says so, and tries the page that is nearest to it, once. The
 * page itself has taken its highlights back. A goto that a later one replaced is not mentioned.
 */
export async function reconcileNavigation(context: Context, commandId: string): Promise<void> {
  const { services, visitor, hub } = context
  const { tenant, session } = visitor
  const gotos = (await hub.orders(visitor)).flatMap(toGoto)
  const failed = gotos.at(-1)
  if (failed?.id !== commandId) return
  // A report may arrive twice, and from two nodes.
  const place = `site/lost/${session}/${commandId}`
  const change = { expected: undefined, value: 'told', ttlMs: KEPT_MS }
  if (!(await services.values.replace(tenant, place, change))) return
  const { language } = await readTalk(services, visitor)
  const say = (text: string) =>
    hub.publish(visitor, { kind: 'turn', turn: 'page', type: 'agent_delta', text })
  const isSecond = await services.values.get(tenant, `site/second/${session}/${commandId}`)
  const other = isSecond === undefined ? await findNear(context, failed.path) : undefined
  if (other === undefined) return say(PHRASES[language].lostPage(failed.path))
  await say(PHRASES[language].tryingPage(failed.path, other))
  const input = { path: other }
  const answer = await callAsVisitor(services, visitor, { tool: 'navigation.goto', input })
  const { commandId: second } = (answer.data ?? {}) as { commandId?: string }
  if (second !== undefined)
    await services.values.set(tenant, `site/second/${session}/${second}`, failed.path, KEPT_MS)
}

function toGoto({ id, command }: PageOrder) {
  return command.do === 'goto' ? [{ id, path: command.path }] : []
}

/** The page that the words of a path lead to; otherwise the one above it. */
async function findNear({ services, visitor }: Context, path: string): Promise<string | undefined> {
  const [plain = ''] = path.split(/[?#]/)
  const query = plain.match(/[\p{L}\p{N}]+/gu)?.join(' ')
  if (query === undefined) return undefined
  const input = { query: query.slice(0, 200) }
  const answer = await callAsVisitor(services, visitor, { tool: 'search.siteSearch', input })
  const { items = [] } = (answer.data ?? {}) as { items?: readonly { readonly url: string }[] }
  const found = items.map(({ url }) => pathOf(url)).find((one) => one !== path && one !== plain)
  return found ?? (plain.replace(/\/[^/]*\/?$/, '') || '/')
}
