import type { ViewBlock, ViewContext } from '@surehand/core/host'
import type { Report } from '../owner/site-report.ts'
import type { readTranscript } from '../owner/visitor-records.ts'

/** The visits that are open now, and what was said in one of them. */
export async function show({ fields, call }: ViewContext): Promise<readonly ViewBlock[]> {
  const sessionId = fields.session
  if (sessionId === undefined)
    return reportBlocks((await call('site.report', { days: 1 })) as Report)
  const { turns } = (await call('site.transcript', { sessionId })) as NonNullable<
    typeof readTranscript.types
  >['output']
  return [
    {
      kind: 'timeline',
      title: `Visit ${sessionId}`,
      entries: turns.flatMap(({ at, said, answered }) => [
        { at, title: 'The visitor', text: said, side: 'left' as const },
        { at, title: 'The agent', text: answered, side: 'right' as const },
      ]),
      empty: 'Nothing is stored of this visit: the contract of the site says how long it is.',
    },
  ]
}

function reportBlocks({ isStopped, live, ...report }: Report): readonly ViewBlock[] {
  return [
    ...(isStopped
      ? [{ kind: 'text', text: 'The agent of the site is stopped.', tone: 'bad' } as const]
      : []),
    {
      kind: 'table',
      title: 'Open visits',
      columns: ['Visit', 'From', 'Began', 'Ends'],
      rows: live.map(({ session, origin, since, until }) => [
        { text: session, view: 'sessions', fields: { session } },
        origin,
        since,
        until,
      ]),
      empty: 'No visitor is on the site at this moment.',
    },
    {
      kind: 'values',
      title: 'Today',
      value: {
        visits: report.visits,
        orders: report.orders.count,
        bookings: report.bookings.count,
        cancellations: report.cancellations,
      },
    },
    {
      kind: 'timeline',
      title: 'Asked for a person',
      entries: report.handoffs.map(({ at, session, text }) => ({ at, title: session, text })),
      empty: 'No visitor asked for a person.',
    },
  ]
}
