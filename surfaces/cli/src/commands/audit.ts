import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ERRORS } from '@surehand/core/host'
import type { AuditRecord } from '@surehand/core/ports'
import {
  type FlagValues,
  flagValue,
  requireKnownFlags,
  requireWords,
  unknownAction,
} from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { parseCount } from '../flag-values.ts'
import { printJson, printLines } from '../print.ts'
import { safeLine } from '../safe-text.ts'
import { formatTable } from '../table.ts'
import { screenWidth } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { valueText } from '../value-text.ts'

const HELP_COMMAND = 'surehand help audit'
const MOST = 1_000

export async function audit(context: CommandContext): Promise<number> {
  const { flags } = context.line
  const [action = 'list', ...words] = requireKnownFlags(
    context.line,
    context.command.flags,
    HELP_COMMAND,
  )
  switch (action) {
    case 'list':
      requireWords(words, [], HELP_COMMAND)
      return list(flags, context)
    case 'export': {
      const [file = ''] = requireWords(words, ['FILE'], HELP_COMMAND)
      return exportAudit(file, context)
    }
    case 'verify':
      return verify(words, context)
    default:
      throw unknownAction('audit', action, ['list', 'export', 'verify'])
  }
}

function list(
  flags: FlagValues,
  { terminal, format, withBackend }: CommandContext,
): Promise<number> {
  const limit = parseCount('limit', flagValue(flags, 'limit') ?? '100', {
    max: MOST,
    suggestion: HELP_COMMAND,
  })
  const tool = flagValue(flags, 'tool')
  const callId = flagValue(flags, 'call')
  const principal = flagValue(flags, 'principal')
  const since = parseTime('since', flagValue(flags, 'since')) ?? Number.NEGATIVE_INFINITY
  const until = parseTime('until', flagValue(flags, 'until')) ?? Number.POSITIVE_INFINITY
  const isNarrowed = principal !== undefined || flags.has('since') || flags.has('until')
  return withBackend(async (backend) => {
    const asked = {
      limit: isNarrowed ? MOST : limit,
      ...(tool === undefined ? {} : { tool }),
      ...(callId === undefined ? {} : { callId }),
    }
    const records = await backend.audit(asked)
    const fitting = records.filter(
      (record) =>
        (principal === undefined || record.principal === principal) &&
        record.created_at >= since &&
        record.created_at < until,
    )
    const shown = fitting.slice(-limit)
    // The store filters by tool and call only: the other filters were applied to its newest
    // records.
    if (isNarrowed && records.length === MOST && oldestOf(records) > since)
      terminal.stderr.write(
        `Only the newest ${MOST} records were searched; "surehand audit export" writes all of them.\n`,
      )
    if (format === 'json') printJson(terminal, shown)
    else printLines(terminal, recordLines(shown, screenWidth(terminal.stdout)))
    return 0
  })
}

function oldestOf(records: readonly AuditRecord[]): number {
  return Math.min(...records.map((record) => record.created_at))
}

function recordLines(records: readonly AuditRecord[], width: number): readonly string[] {
  if (records.length === 0) return ['No records.']
  const rows = records.map((record) => [
    new Date(record.created_at).toISOString(),
    record.principal,
    record.surface,
    record.tool_name,
    record.phase,
    record.code === '' ? record.outcome : record.code,
    record.call_id,
  ])
  return [
    formatTable(['TIME', 'PRINCIPAL', 'SURFACE', 'TOOL', 'PHASE', 'OUTCOME', 'CALL'], rows, width),
  ]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})$/

function parseTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = DAY.test(text) || RFC3339.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new UsageError(
    `--${name} is a day (2026-11-15) or a time with its zone (2026-11-15T08:00:00Z), not "${text}".`,
    HELP_COMMAND,
  )
}

async function exportAudit(
  file: string,
  { terminal, withBackend }: CommandContext,
): Promise<number> {
  return withBackend(async (backend) => {
    const lines = await backend.exportAudit()
    // Readable by its owner only: other users of this machine may not see the audit.
    const target = file === '-' ? terminal.stdout : createWriteStream(file, { mode: 0o600 })
    await pipeline(Readable.from(withLineEnds(lines)), target, { end: file !== '-' })
    if (file !== '-')
      terminal.stderr.write(
        `Written to ${safeLine(file)}. Verify it anywhere: surehand audit verify ${safeLine(file)}\n`,
      )
    return 0
  })
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

async function verify(words: readonly string[], context: CommandContext): Promise<number> {
  const [file] = words.length === 0 ? [] : requireWords(words, ['FILE'], HELP_COMMAND)
  const verdict =
    file === undefined
      ? await context.withBackend((backend) => backend.verifyAudit())
      : await verifyFile(file, context)
  if (context.format === 'json') printJson(context.terminal, verdict)
  else printLines(context.terminal, [valueText(verdict, screenWidth(context.terminal.stdout))])
  return isIntact(verdict) ? 0 : ERRORS.TOOL_DATA_CORRUPTION.exit
}

function verifyFile(
  file: string,
  { options: { verifyExport }, localTarget }: CommandContext,
): Promise<unknown> {
  if (verifyExport === undefined)
    throw new UsageError('This program cannot verify files.', 'surehand audit verify')
  return verifyExport(file, localTarget)
}

// Any verdict but "intact" is a failure.
function isIntact(verdict: unknown): boolean {
  return (
    typeof verdict === 'object' &&
    verdict !== null &&
    'kind' in verdict &&
    verdict.kind === 'intact'
  )
}
