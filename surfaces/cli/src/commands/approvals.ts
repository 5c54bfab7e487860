import type { Envelope } from '@surehand/core'
import type { ApprovalView } from '@surehand/core/host'
import { isRecord, requesterText } from '@surehand/core/worker-entry'
import {
  type FlagValues,
  flagValue,
  requireKnownFlags,
  requireWords,
  unknownAction,
} from '../arguments.ts'
import { awaitBriefly } from '../await-briefly.ts'
import type { Backend } from '../backend.ts'
import type { CommandContext } from '../command.ts'
import { EXIT_INTERRUPTED, exitCodeOf } from '../exit-code.ts'
import { printEnvelope, printJson, printLines } from '../print.ts'
import { type Answered, CANCELLED, createPrompt, type Prompt } from '../prompt.ts'
import { readInput } from '../read-input.ts'
import { safeLine } from '../safe-text.ts'
import { changeLines, oneLine, parseShown, shownLines, valueLines } from '../shown.ts'
import { formatTable } from '../table.ts'
import { commandHere, isInteractive, screenWidth, type Terminal } from '../terminal.ts'
import { trapLines } from '../trap-lines.ts'
import { UsageError } from '../usage-error.ts'

const HELP_COMMAND = 'surehand help approvals'
const ACTIONS = ['list', 'show', 'approve', 'deny', 'delegate', 'edit'] as const
const STATES = ['pending', 'approved', 'denied', 'expired', 'used', 'replaced', 'all']

export async function approvals(context: CommandContext): Promise<number> {
  const { flags } = context.line
  const [action = 'list', ...words] = requireKnownFlags(
    context.line,
    context.command.flags,
    HELP_COMMAND,
  )
  if (action === 'list') {
    requireWords(words, [], HELP_COMMAND)
    return list(flagValue(flags, 'state') ?? 'pending', context)
  }
  if (!ACTIONS.some((known) => known === action)) throw unknownAction('approvals', action, ACTIONS)
  const [id = ''] = requireWords(words, ['ID'], HELP_COMMAND)
  switch (action) {
    case 'show':
      return show(id, context)
    case 'delegate':
      return delegate(id, flags, context)
    case 'edit':
      return edit(id, flags, context)
    default:
      return decide(id, action === 'approve' ? 'approve' : 'deny', flags, context)
  }
}

function list(state: string, { terminal, format, withBackend }: CommandContext): Promise<number> {
  if (!STATES.includes(state))
    throw new UsageError(`--state is one of ${STATES.join(', ')}, not "${state}".`, HELP_COMMAND)
  return withBackend(async (backend) => {
    const found = await backend.approvals(state === 'all' ? undefined : state)
    if (format === 'json') printJson(terminal, found)
    else printLines(terminal, listLines(found, state, screenWidth(terminal.stdout)))
    return 0
  })
}

function listLines(
  approvals: readonly ApprovalView[],
  state: string,
  width: number,
): readonly string[] {
  if (approvals.length === 0)
    return [state === 'pending' ? 'No call is waiting for approval.' : 'None.']
  const rows = approvals.map((approval) => [
    approval.id,
    approval.asks,
    approval.tool,
    requesterText(approval),
    approval.state,
    approval.expires_at,
  ])
  return [formatTable(['ID', 'REQUEST', 'TOOL', 'CALLER', 'STATE', 'EXPIRES'], rows, width)]
}

function show(id: string, { terminal, format, withBackend }: CommandContext): Promise<number> {
  return withBackend(async (backend) => {
    const approval = await backend.approval(id)
    if (format === 'json') printJson(terminal, approval)
    else
      printLines(terminal, [
        ...approvalPage(approval),
        ...(approval.state === 'pending' ? ['', ...nextCommands(approval, terminal)] : []),
      ])
    return 0
  })
}

// The digest stands for what was just shown, so that nothing is asked again.
function nextCommands({ id, digest }: ApprovalView, terminal: Terminal): readonly string[] {
  const which = `${safeLine(id)} --digest ${safeLine(digest)} --yes`
  const here = (command: string): string => commandHere(terminal, command)
  return [
    `Approve: ${here(`surehand approvals approve ${which}`)}`,
    `Deny:    ${here(`surehand approvals deny ${which} --reason 'Not now.'`)}`,
  ]
}

async function decide(
  id: string,
  verdict: 'approve' | 'deny',
  flags: FlagValues,
  context: CommandContext,
): Promise<number> {
  const { terminal, format, withBackend } = context
  const reason = readReason(verdict, flags)
  return withBackend(async (backend) => {
    const digest = await confirmDigest(id, verdict, { flags, context, backend })
    if (digest === CANCELLED) {
      terminal.stderr.write('Nothing was decided.\n')
      return EXIT_INTERRUPTED
    }
    const decided = await backend.decide(id, {
      verdict,
      digest,
      ...(reason === undefined ? {} : { reason }),
    })
    const outcome = verdict === 'approve' ? await awaitBriefly(decided.call_id, backend) : undefined
    if (format === 'json')
      printJson(terminal, outcome === undefined ? decided : { ...decided, answer: outcome })
    else printOutcome(decided, outcome, context)
    return outcome === undefined ? 0 : exitCodeOf(outcome)
  })
}

type DecisionContext = {
  readonly flags: FlagValues
  readonly context: CommandContext
  readonly backend: Backend
}

/**
 * The digest of what the person has seen: the one given by --digest, or of the request that is
 * shown now.
 */
async function confirmDigest(
  id: string,
  verdict: 'approve' | 'deny',
  { flags, context, backend }: DecisionContext,
): Promise<string | typeof CANCELLED> {
  const { terminal } = context
  const given = flagValue(flags, 'digest')
  if (given !== undefined && flags.has('yes')) return given
  if (!flags.has('yes') && !isInteractive(terminal))
    throw new UsageError(
      'A decision needs a terminal, or --yes.',
      `surehand approvals show ${id}, then ${verdict} with --yes and the digest`,
    )
  const approval = await backend.approval(id)
  terminal.stderr.write(`${approvalPage(approval).join('\n')}\n\n`)
  if (flags.has('yes')) return approval.digest
  const answer = await confirmVerdict(verdict, approval, createPrompt(terminal))
  return answer === 'yes' ? (given ?? approval.digest) : CANCELLED
}

function confirmVerdict(
  verdict: 'approve' | 'deny',
  { reversible }: ApprovalView,
  prompt: Prompt,
): Answered<'yes' | 'no'> {
  if (verdict === 'deny') return prompt.confirm('Deny this call?')
  return reversible
    ? prompt.confirm('Approve exactly this call, once?')
    : prompt.confirmByWord(
        'Type "approve" to approve exactly this call, once. It cannot be undone.',
        'approve',
      )
}

function readReason(verdict: 'approve' | 'deny', flags: FlagValues): string | undefined {
  const name = verdict === 'approve' ? 'comment' : 'reason'
  const other = verdict === 'approve' ? 'reason' : 'comment'
  if (flags.has(other))
    throw new UsageError(`${verdict} takes --${name}, not --${other}.`, HELP_COMMAND)
  const text = flagValue(flags, name)
  if (verdict === 'deny' && (text === undefined || text === ''))
    throw new UsageError('--reason is missing. The caller will read it.', HELP_COMMAND)
  return text
}

function printOutcome(
  decided: ApprovalView,
  outcome: Envelope | undefined,
  { terminal, format }: CommandContext,
): void {
  const id = safeLine(decided.call_id)
  if (decided.decision?.verdict === 'deny') {
    printLines(terminal, [
      'Denied. The call was not made; the same request cannot be made again until the denial expires.',
    ])
    return
  }
  terminal.stderr.write('Approved. ')
  if (outcome === undefined || outcome.metadata.job !== undefined) {
    terminal.stderr.write('A worker is running the call.\n')
    printLines(terminal, [`Result: ${commandHere(terminal, `surehand jobs show ${id}`)}`])
    return
  }
  if (outcome.metadata.pending?.changed !== undefined)
    terminal.stderr.write('But what it would do has changed since, so it was not done:\n')
  else if (outcome.metadata.asking !== undefined)
    terminal.stderr.write('The call has a question before it continues:\n')
  else
    terminal.stderr.write(
      exitCodeOf(outcome) === 0 ? 'The call was made:\n' : 'The call was tried:\n',
    )
  printEnvelope(terminal, outcome, format)
}

async function delegate(
  id: string,
  flags: FlagValues,
  { terminal, format, withBackend }: CommandContext,
): Promise<number> {
  const to = flagValue(flags, 'to')
  if (to === undefined || to === '')
    throw new UsageError('--to is missing. Name a person who may decide it.', HELP_COMMAND)
  return withBackend(async (backend) => {
    const approval = await backend.delegate(id, to)
    if (format === 'json') printJson(terminal, approval)
    else
      printLines(terminal, [
        `Delegated to ${safeLine(to)}. It still waits; you may still decide it yourself.`,
      ])
    return 0
  })
}

async function edit(
  id: string,
  flags: FlagValues,
  { terminal, format, withBackend }: CommandContext,
): Promise<number> {
  const given = flagValue(flags, 'input')
  if (given === undefined)
    throw new UsageError('--input is missing. Give the complete new input.', HELP_COMMAND)
  const json = await readInput(given, terminal.stdin)
  return withBackend(async (backend) => {
    const approval = await backend.edit(id, json)
    if (format === 'json') printJson(terminal, approval)
    else
      printLines(terminal, [
        'A new approval request replaces it.',
        '',
        ...approvalPage(approval),
        '',
        ...nextCommands(approval, terminal),
      ])
    return 0
  })
}

const KINDS: Readonly<Record<string, string>> = {
  confirm: 'a confirmation',
  consent: 'consent of the person concerned',
  admin: "an administrator's approval",
}

/** Everything the person who decides must see, untruncated. */
function approvalPage(approval: ApprovalView): readonly string[] {
  const shown = parseShown(approval)
  const isFinal = shown.reversible === false
  const traps = trapLines(approval)
  return [
    ...(shown.part_of === undefined ? [] : [`Part of: ${partOf(shown.part_of)}`]),
    ...shownLines(shown.asks),
    '',
    ...(shown.consequence === undefined ? [] : [...shownLines(shown.consequence), '']),
    ...(shown.summary === undefined ? [] : [...valueLines(shown.summary), '']),
    ...(isFinal ? ['!! This cannot be undone.'] : []),
    ...traps,
    ...(isFinal || traps.length > 0 ? [''] : []),
    ...changeLines(shown.changed),
    `State:       ${safeLine(approval.state)}${decisionWords(approval)}`,
    `Caller:      ${oneLine(requesterText(approval))}`,
    ...(shown.edited_by === undefined ? [] : [`Changed by:  ${oneLine(shown.edited_by)}`]),
    `Tool:        ${oneLine(shown.title)} (${oneLine(shown.tool)}, version ${oneLine(shown.version)})`,
    `Effect:      ${oneLine(shown.effect)}, ${isFinal ? 'cannot be undone' : 'can be undone'}`,
    ...(approval.delegation === undefined
      ? []
      : [
          `Delegated to: ${oneLine(approval.delegation.to)}, by ${oneLine(approval.delegation.by)}`,
        ]),
    `Requires:    ${KINDS[approval.kind] ?? safeLine(approval.kind)}`,
    `Created at:  ${safeLine(approval.created_at)}`,
    `Expires at:  ${safeLine(approval.expires_at)}`,
    `Call:        ${safeLine(approval.call_id)}`,
    ...(approval.url === undefined ? [] : [`In a browser: ${safeLine(approval.url)}`]),
    '',
    'Complete input:',
    ...valueLines(shown.input).map((line) => `  ${line}`),
    ...(shown.facts_hash === undefined
      ? []
      : ['', 'What is approved:', ...valueLines(shown.facts).map((line) => `  ${line}`)]),
    '',
    `Digest of this request: ${safeLine(approval.digest)}`,
  ]
}

/** The runs that the call is a step of, the outermost first. */
function partOf(titles: unknown): string {
  return Array.isArray(titles) ? titles.toReversed().map(oneLine).join(' › ') : oneLine(titles)
}

function decisionWords({ decision }: ApprovalView): string {
  if (decision === undefined) return ''
  const reason =
    typeof decision.reason === 'string' && decision.reason !== ''
      ? `: ${safeLine(decision.reason)}`
      : ''
  const voided = isRecord(decision.voided)
    ? `; nothing was done, because what was approved had changed: see ${safeLine(decision.voided.replaced_by)}`
    : ''
  return ` (${safeLine(decision.verdict)} by ${safeLine(decision.by)} at ${safeLine(decision.at)}${reason}${voided})`
}
