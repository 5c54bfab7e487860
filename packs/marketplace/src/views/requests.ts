import type { ViewBlock, ViewContext } from '@surehand/core/host'
import type { listRequests } from '../commands/list-requests.ts'
import type { requestTimeline, TimelineEntry } from '../commands/request-timeline.ts'

type Requests = NonNullable<typeof listRequests.types>['output']
type Timeline = NonNullable<typeof requestTimeline.types>['output']

/** The requests of clients, and one of them as its conversation with everybody. */
export async function show({ fields, call }: ViewContext): Promise<readonly ViewBlock[]> {
  const id = fields.request
  return id === undefined
    ? listBlocks((await call('marketplace.list_requests', {})) as Requests)
    : timelineBlocks((await call('marketplace.request_timeline', { request_id: id })) as Timeline)
}

function listBlocks({ requests }: Requests): readonly ViewBlock[] {
  return [
    {
      kind: 'table',
      title: 'Requests',
      columns: ['Request', 'State', 'Client', 'Asked', 'Replies', 'Since'],
      rows: requests.map((request) => [
        {
          text: request.need ?? request.request_id,
          view: 'requests',
          fields: { request: request.request_id },
        },
        request.state,
        request.client === '' ? request.phone : request.client,
        String(request.vendors_asked),
        String(request.replies),
        request.state_since,
      ]),
      empty: 'No client has asked for anything yet.',
    },
  ]
}

function timelineBlocks(timeline: Timeline): readonly ViewBlock[] {
  const { request_id, state, need, client, phone, entries, costs } = timeline
  return [
    {
      kind: 'values',
      title: need ?? request_id,
      value: { state, client: client === '' ? phone : `${client}, ${phone}`, ...costs },
    },
    {
      kind: 'timeline',
      title: 'What happened',
      entries: entries.map((entry) => ({
        at: entry.at,
        title: `${entry.who}: ${entry.what}`,
        text: entry.text ?? undefined,
        tone: entry.kind === 'attention' ? 'warn' : undefined,
        side: sideOf(entry),
      })),
      empty: 'Nothing has happened yet.',
    },
  ]
}

// As on a phone: what people wrote to us stands on the left, what we wrote to them on the right.
function sideOf({ kind, what }: TimelineEntry): 'left' | 'right' | undefined {
  if (kind === 'reply') return 'left'
  if (kind === 'outreach') return 'right'
  if (kind !== 'message') return undefined
  return /^received /.test(what) ? 'left' : 'right'
}
