import { judgeFigure, type Verdict } from '../harness/goals.ts'
import { httpRatio, type Results, stdioRatio } from './results.ts'

/** The goals for calls over the wire. */
export function judgeGoals(results: Results): readonly Verdict[] {
  const rate = { of: 'rate', at: 64 } as const
  return [
    atLeast(
      '`surehand serve`, HTTP ≥ 1.0 × bare Fastify with schemas at 64 connections',
      1,
      httpRatio(results, rate, { of: 'serve-http', than: 'fastify' }),
    ),
    atLeast(
      'the same, where the server and the load generator share both cores',
      1,
      httpRatio(results, rate, { of: 'serve-http-both', than: 'fastify-both' }),
    ),
    atLeast(
      '`surehand serve`, HTTP ≥ 0.8 × at one connection',
      0.8,
      httpRatio(results, { of: 'rate', at: 1 }, { of: 'serve-http', than: 'fastify' }),
    ),
    atLeast(
      'the same, where the server and the load generator share both cores',
      0.8,
      httpRatio(results, { of: 'rate', at: 1 }, { of: 'serve-http-both', than: 'fastify-both' }),
    ),
    atLeast(
      '`surehand serve`, HTTP with a query, chunks, HTTP/1.0 and TE ≥ 0.8 ×',
      0.8,
      httpRatio(results, rate, { of: 'serve-proxied', than: 'fastify' }),
    ),
    atLeast(
      '`surehand serve`, HTTP with 10,000 tools and 1 M audit records ≥ 0.85 × without',
      0.85,
      httpRatio(results, rate, { of: 'serve-grown', than: 'serve-http' }),
    ),
    atMost(
      '`surehand serve`, HTTP: CPU of a limited read ≤ 1.5 × that of an unlimited one',
      1.5,
      httpRatio(results, { of: 'cpuUs', at: 64 }, { of: 'serve-limited', than: 'serve-http' }),
    ),
    atLeast(
      '`surehand serve`, MCP tools/call ≥ 10 × MCP SDK 2.4',
      10,
      httpRatio(results, rate, { of: 'serve-mcp', than: 'mcp-sdk' }),
    ),
    atMost(
      '`surehand serve`, MCP: p99 at 64 connections ≤ 1.5 × that of the minimal server',
      1.5,
      httpRatio(results, { of: 'p99Ms', at: 64 }, { of: 'serve-mcp', than: 'minimal-mcp' }),
    ),
    atMost(
      "stdio round trip ≤ 0.6 × MCP SDK 2.4's",
      0.6,
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
