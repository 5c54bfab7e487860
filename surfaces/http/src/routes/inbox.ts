import type { Caller } from '@surehand/core'
import { approvalView, questionView } from '@surehand/core/host'
import { InboxItemSchema } from '@surehand/edge/api'
import { eventStream, type SendEvent } from '../event-stream.ts'
import type { Surface } from '../options.ts'
import { readWaiting } from '../page/inbox.ts'
import { PageQuery, pageReturned, pageView, readPage } from '../paging.ts'
import { parseQuery } from '../parse-request.ts'
import type { Route } from '../route.ts'
import { approvalReturned } from './approvals.ts'

/** Approval requests and questions in one list. */
export const inboxRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/inbox',
    command: 'inbox.list',
    summary:
      'Lists the approval requests and questions that wait for you, what expires first at the top.',
    query: PageQuery,
    returns: pageReturned({
      schema: () => InboxItemSchema,
      example: { kind: 'approval', approval: approvalReturned.example, may_decide: true },
    }),
    async handle(context, caller, { runtime, approvalUrl, questionUrl }) {
      const wanted = readPage('inbox.list', parseQuery(context, PageQuery))
      return pageView('inbox.list', await readWaiting(caller, wanted, runtime), (item) =>
        item.kind === 'approval'
          ? {
              kind: item.kind,
              approval: approvalView(item.approval, approvalUrl),
              may_decide: runtime.approvals.mayDecide(caller, item.approval),
            }
          : { kind: item.kind, question: questionView(item.question, questionUrl) },
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/inbox/events',
    command: 'inbox.events',
    summary:
      'Streams an event named `changed` at once, and whenever what waits for you has changed. Read the list again then.',
    returns: 'events',
    handle: (context, caller, surface) => {
      const { scope } = surface.runtime.approvals.waitingMark(caller)
      return eventStream(
        context,
        {
          command: 'inbox.events',
          caller,
          // Who may see other requests than before begins anew.
          isStillAllowed: (now) => surface.runtime.approvals.waitingMark(now).scope === scope,
          onlyListens: true,
          work: (send, signal) => streamChanges(caller, surface, { send, signal }),
        },
        surface,
      )
    },
  },
]

type Sink = { readonly send: SendEvent; readonly signal: AbortSignal }

// The feed's first event makes a client read the list, which may have changed before.
function streamChanges(
  caller: Caller,
  { inboxFeed }: Surface,
  { send, signal }: Sink,
): Promise<undefined> {
  // A signal that has aborted tells no listener that comes later.
  if (signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const stop = inboxFeed.watch(caller, () => send('changed', {}))
    signal.addEventListener(
      'abort',
      () => {
        stop()
        resolve(undefined)
      },
      { once: true },
    )
  })
}
