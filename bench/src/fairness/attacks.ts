/** What one client does to be felt by others; each as fast as the server answers. */
export const ATTACKS = {
  calls: 'calls of a tool, 64 at once',
  listings: '`/v1/tools?limit=200` and the OpenAPI document of 10,000 tools, 16 at once',
  'mcp listings': '`tools/list` over MCP, every page, 16 at once',
  'large messages': 'MCP messages of 1.9 MB, 16 at once',
  'large inputs': 'calls over HTTP with inputs of 1.9 MB, 16 at once',
  streams: '`subscriptions/listen`, 600 at once, opened again when they end',
  sessions: 'sessions of MCP 2025, 32 at once',
  breaker:
    'calls to a host that hangs, 64 at once; the other calls the same host, which answers it',
  webhooks: 'jobs whose ends are sent to four webhooks that never answer, 32 at once',
} as const

export type AttackName = keyof typeof ATTACKS

/** The webhooks of the attacking tenant. */
export const SLOW_WEBHOOKS: readonly string[] = ['slow-0', 'slow-1', 'slow-2', 'slow-3']
