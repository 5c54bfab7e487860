import type { RunTree, StepNode, StepState } from '@surehand/core/host'
import { safeLine } from './safe-text.ts'
import { columnsOf, cut } from './screen-width.ts'

const STATES: Readonly<Record<StepState, readonly [symbol: string, words: string]>> = {
  done: ['✓', 'done'],
  failed: ['✗', 'failed'],
  waiting: ['◌', 'waits'],
  running: ['▸', 'runs'],
  unknown: ['!', 'UNKNOWN'],
  called_off: ['–', 'called off'],
}

// the ledger's words for a run, in a person's
const RUN_STATES: Readonly<Record<string, string>> = {
  waiting: 'waits for a yes',
  queued: 'waits for a worker',
  parked: 'waits for an answer or a step',
  claimed: 'runs',
  effect_started: 'runs',
  succeeded: 'done',
  failed: 'failed',
  unknown: 'UNKNOWN: a person must look',
  released: 'came to nothing; its key is free',
  cancelled: 'cancelled',
  pruned: 'forgotten',
}

const GAP = '  '

/** A run, its steps, and theirs: a line each. */
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
    ...lines.map((line) => cut(line.trimEnd(), width)),
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
