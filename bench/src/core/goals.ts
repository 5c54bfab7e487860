import type { CallGoal } from '../harness/call-suite.ts'

/** The goals for calls in process. A goal whose contenders were not run is reported as "not measured". */
export const goals: readonly CallGoal[] = [
  {
    kind: 'at most',
    of: 'surehand-read',
    times: 0.75,
    than: 'ai-sdk',
    promise: 'governed read ≤ 0.75 × AI SDK 7 call',
  },
  {
    kind: 'at most',
    of: 'surehand-span',
    times: 1.2,
    than: 'ai-sdk',
    promise: 'with a span ≤ 1.2 × AI SDK 7 call',
  },
  {
    kind: 'at most',
    of: 'surehand-write',
    times: 1.5,
    than: 'ai-sdk',
    promise: 'with limiter and key ledger ≤ 1.5 × AI SDK 7 call',
  },
  {
    kind: 'faster',
    of: 'surehand-read',
    times: 7,
    than: 'langchain-args',
    promise: 'governed read ≥ 7 × faster than LangChain invoke(args)',
  },
  {
    kind: 'faster',
    of: 'surehand-read',
    times: 7,
    than: 'langchain-call',
    promise: 'governed read ≥ 7 × faster than LangChain invoke(toolCall)',
  },
  {
    kind: 'faster',
    of: 'surehand-read',
    times: 12,
    than: 'mcp-v1',
    promise: 'governed read ≥ 12 × faster than MCP SDK 1.32 in memory',
  },
  {
    kind: 'faster',
    of: 'surehand-read',
    times: 12,
    than: 'mcp-v2',
    promise: 'governed read ≥ 12 × faster than MCP SDK 2.4 in memory',
  },
  {
    kind: 'within',
    of: 'surehand-register',
    milliseconds: 300,
    promise: 'registering 10,000 prebuilt tools ≤ 300 ms',
  },
  {
    kind: 'within',
    of: 'surehand-list',
    milliseconds: 5,
    promise: 'warm getToolsForTenant ≤ 5 ms',
  },
  { kind: 'within', of: 'surehand-search', milliseconds: 10, promise: 'searchTools p50 ≤ 10 ms' },
]
