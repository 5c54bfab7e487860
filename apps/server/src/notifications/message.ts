import { requesterText } from '@surehand/core/host'
import { sha256 } from '@surehand/core/internal'
import type { Clock, Entropy } from '@surehand/core/ports'
import type { ActionLinks } from './action-links.ts'
import type { Message } from './channels.ts'
import type { Recipient, Waiting } from './deliver-notifications.ts'

const MOST_HEADLINE = 300

/** What a person is told of one thing that waits: the question, never the input. */
export function composeMessage(
  { kind, item }: Waiting,
  { caller, settings }: Recipient,
  { links, publicUrl }: { readonly links: ActionLinks; readonly publicUrl: string },
): Message {
  const { consequence } = JSON.parse(item.shown) as { readonly consequence?: string }
  const isFinal = kind === 'approval' && !item.reversible
  const path = `${publicUrl}/${kind}s/${encodeURIComponent(item.id)}`
  const headline = item.asks.split('\n')[0]?.slice(0, MOST_HEADLINE) ?? ''
  const withLink = kind === 'approval' && settings.action_links
  return {
    id: `${item.id}.${sha256(caller.principal).slice(0, 8)}`,
    type: `${kind}.waiting`,
    headline,
    lines: [
      ...(isFinal ? ['This cannot be undone.'] : []),
      ...(consequence === undefined ? [] : [consequence]),
      `Requested by ${requesterText(item)} with ${item.toolId}.`,
      `Open until ${new Date(item.expiresAt).toISOString().replace('T', ' ').slice(0, 19)} UTC.`,
    ],
    url: path,
    ...(withLink ? { actionUrl: `${publicUrl}/act/${links.write(item, caller.principal)}` } : {}),
    expiresAt: item.expiresAt,
    data: {
      [`${kind}_id`]: item.id,
      call_id: item.callId,
      tool: item.toolId,
      asks: headline,
      for: caller.principal,
      expires_at: new Date(item.expiresAt).toISOString(),
      url: path,
    },
  }
}

export function testMessage({
  clock,
  entropy,
  publicUrl,
}: {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly publicUrl: string
}): Message {
  const now = clock.now()
  return {
    id: entropy.newId('test', now),
    type: 'test',
    headline: 'This is a test: notifications from Surehand arrive here.',
    lines: ['Nothing waits for you because of it.'],
    url: `${publicUrl}/notifications`,
    expiresAt: now + 3_600_000,
    data: { url: `${publicUrl}/notifications` },
  }
}
