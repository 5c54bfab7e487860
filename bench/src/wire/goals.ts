import type { Verdict } from '../harness/goals.ts'
import { ratio, stdioRatio } from './results.ts'
import type { Results } from './rounds.ts'

/** The promises of PERFORMANCE.md "Over the wire". */
export function judge(results: Results): readonly Verdict[] {
  const rate = { of: 'rate', at: 64 } as const
  return [
    atLeast(
      'governed HTTP call ≥ 0.8 × bare Fastify with schemas',
      0.8,
      ratio(results, rate, { of: 'surehand-http', than: 'fastify' }),
    ),
    atLeast(
      'governed MCP tools/call ≥ 8 × MCP SDK 2.4',
      8,
      ratio(results, rate, { of: 'surehand-mcp', than: 'mcp-sdk' }),
    ),
    atMost(
      "governed MCP: p99 at 64 connections ≤ 1.5 × the hand-written floor's",
      1.5,
      ratio(results, { of: 'p99Ms', at: 64 }, { of: 'surehand-mcp', than: 'mcp-floor' }),
    ),
    atMost(
      "stdio round trip ≤ 0.5 × MCP SDK 2.4's",
      0.5,
      stdioRatio(results, 'stdio-surehand', 'stdio-sdk'),
    ),
  ]
}

function atLeast(promise: string, least: number, found: number | undefined): Verdict {
  return verdict(promise, found, (times) => times >= least)
}

function atMost(promise: string, most: number, found: number | undefined): Verdict {
  return verdict(promise, found, (times) => times <= most)
}

function verdict(
  promise: string,
  found: number | undefined,
  isKept: (times: number) => boolean,
): Verdict {
  if (found === undefined) return { promise, measured: '–', verdict: 'not measured' }
  return { promise, measured: `${found.toFixed(2)} ×`, verdict: isKept(found) ? 'pass' : 'miss' }
}
