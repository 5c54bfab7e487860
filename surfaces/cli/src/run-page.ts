import type { RunTree, StepNode, StepState } from '@surehand/core/host'
import { safeLine } from './safe-text.ts'
import { columnsOf, truncate } from './text-width.ts'

const STATES: Readonly<Record<StepState, readonly [symbol: string, words: string]>> = {
  done: ['✓', 'done'],
  failed: ['✗', 'failed'],
  waiting: ['◌', 'waiting'],
  running: ['▸', 'running'],
  unknown: ['!', 'UNKNOWN'],
  called_off: ['–', 'cancelled'],
}

// The ledger's states of a run in words for a person.
const RUN_STATES: Readonly<Record<string, string>> = {
  waiting: 'waiting for approval',
  queued: 'waiting for a worker',
  parked: 'waiting for an answer or a step',
  claimed: 'running',
  effect_started: 'running',
  succeeded: 'done',
  failed: 'failed',
  unknown: 'UNKNOWN: an administrator must resolve it',
  released: 'ended without an effect; its key can be used again',
  cancelled: 'cancelled',
  pruned: 'removed after its retention time',
}

const GAP = '  '

/** A run and its steps at every depth, one line each. */
export function runPage(
  { call_id, tool, state, created_at, updated_at, steps }: RunTree,
  width: number,
): readonly string[] {
  const rows = steps.flatMap((step, index) => rowsOf(step, '', index === steps.length - 1))
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map((row) => columnsOf(row[column] ?? ''))),
  )
  const lines = rows.map((row) =>
    row.map((cell, column) => padCell(cell, widths[column] ?? 0)).join(GAP),
  )
  return [
    `${safeLine(tool)}: ${RUN_STATES[state] ?? safeLine(state)}`,
    `Call ${safeLine(call_id)}, from ${safeLine(created_at)} to ${safeLine(updated_at)}`,
    ...lines.map((line) => truncate(line.trimEnd(), width)),
  ]
}

type Row = readonly [place: string, tool: string, state: string, note: string]

function rowsOf(node: StepNode, before: string, isLast: boolean): readonly Row[] {
  const [symbol, words] = STATES[node.state]
  const isQuestion = node.what === 'ask'
  const row: Row = [
    `${before}${isLast ? '└─' : '├─'} ${symbol} ${safeLine(node.path)}`,
    isQuestion ? 'a question' : safeLine(node.tool ?? ''),
    isQuestion && node.state === 'done' ? 'answered' : words,
    safeLine(node.code ?? (isQuestion && node.state === 'waiting' ? (node.question_id ?? '') : '')),
  ]
  const inner = `${before}${isLast ? '   ' : '│  '}`
  return [
    row,
    ...node.steps.flatMap((step, index) => rowsOf(step, inner, index === node.steps.length - 1)),
  ]
}

function padCell(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - columnsOf(cell)))
}
