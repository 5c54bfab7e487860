import { judgeFigure, type Verdict } from '../harness/goals.ts'
import { httpRatio, type Results, stdioRatio } from './results.ts'

/** The goals for calls over the wire. */
export function judgeGoals(results: Results): readonly Verdict[] {
  const rate = { of: 'rate', at: 64 } as const
  return [
    atLeast(
      'governed HTTP call ≥ 0.8 × bare Fastify with schemas',
      0.8,
      httpRatio(results, rate, { of: 'surehand-http', than: 'fastify' }),
    ),
    atLeast(
      'governed MCP tools/call ≥ 8 × MCP SDK 2.4',
      8,
      httpRatio(results, rate, { of: 'surehand-mcp', than: 'mcp-sdk' }),
    ),
    atMost(
      'governed MCP: p99 at 64 connections ≤ 1.5 × that of the minimal server',
      1.5,
      httpRatio(results, { of: 'p99Ms', at: 64 }, { of: 'surehand-mcp', than: 'minimal-mcp' }),
    ),
    atMost(
      "stdio round trip ≤ 0.5 × MCP SDK 2.4's",
      0.5,
      stdioRatio(results, { of: 'stdio-surehand', than: 'stdio-sdk' }),
    ),
  ]
}

function atLeast(promise: string, least: number, found: number | undefined): Verdict {
  return judgeFigure(promise, found, (times) => ({
    isReached: times >= least,
    measured: `${times.toFixed(2)} ×`,
  }))
}

function atMost(promise: string, most: number, found: number | undefined): Verdict {
  return judgeFigure(promise, found, (times) => ({
    isReached: times <= most,
    measured: `${times.toFixed(2)} ×`,
  }))
}
