import type { z } from 'zod'
import { hashJson, sha256 } from '../call/hash.ts'
import { APPROVAL_EXPIRES } from '../define/approval-kind.ts'
import { toMs } from '../define/duration.ts'
import { digestOf, holdsSecret, redact, secretFields } from '../define/redact.ts'
import type { AskOptions } from '../define/run.ts'
import { type Schema, zodSchema } from '../define/schema.ts'
import { visibleJson, visibleText } from '../define/visible.ts'
import type { JournalEntry, NewQuestion } from '../ports/runs.ts'
import type { Drive } from './drive.ts'

/** What is asked, before it has a row. */
export type Wanted = {
  readonly path: string
  readonly asks: string
  readonly schema: Schema
  readonly from: NewQuestion['from']
  readonly draft: unknown
  readonly otherwise: unknown
  readonly expiresMs: number
  readonly hash: string
}

export function wantedOf(
  schema: z.ZodType | Schema,
  asks: string,
  options: AskOptions<unknown>,
  prefix: string,
): Wanted {
  const { from = 'person', shows, otherwise, timeout = APPROVAL_EXPIRES } = options
  const compiled = '_zod' in schema ? zodSchema(schema) : schema
  return {
    path: `${prefix}${options.id ?? 'ask'}`,
    asks,
    schema: compiled,
    from,
    draft: shows,
    otherwise,
    expiresMs: toMs(timeout),
    hash: hashJson({ asks, from, schema: compiled.toJson('input'), shows: shows ?? null }),
  }
}

/** The question with everything whoever answers must see, and the digest that ties the answer to it. */
export function newQuestion(
  wanted: Wanted,
  drive: Drive,
  problem: string | undefined,
): NewQuestion {
  const { call, parts } = drive
  const asks = visibleText(wanted.asks)
  const seen =
    wanted.draft === undefined ? undefined : redact(wanted.schema.shape, wanted.draft, digestOf)
  const shown = JSON.stringify({
    tool: call.tool.id,
    title: visibleText(call.tool.title),
    version: call.tool.version,
    asked_by: visibleText(call.caller.principal),
    actor: call.caller.actor,
    from: wanted.from,
    asks,
    ...(problem === undefined ? {} : { problem: visibleText(problem) }),
    ...(seen === undefined ? {} : { draft: visibleJson(seen) }),
    // whoever asks a person for them does not show what is typed
    ...(holdsSecret(wanted.schema.shape) ? { sensitive: secretFields(wanted.schema.shape) } : {}),
  })
  return {
    id: parts.entropy.newId('ques', parts.clock.now()),
    tenant: call.caller.tenant,
    principal: call.caller.principal,
    callId: call.id,
    toolId: call.tool.id,
    path: wanted.path,
    asks,
    from: wanted.from,
    schema: JSON.stringify(wanted.schema.toJson('input')),
    draft: wanted.draft === undefined ? '' : JSON.stringify(wanted.draft),
    shown,
    digest: sha256(shown),
    isSecret: holdsSecret(wanted.schema.shape),
    expiresMs: wanted.expiresMs,
  }
}

export function askEntry(wanted: Wanted, question: NewQuestion): JournalEntry {
  return {
    path: wanted.path,
    what: 'ask',
    tool: '',
    inputHash: wanted.hash,
    child: question.id,
    isWrite: false,
    isSecret: question.isSecret,
    answer: undefined,
    undo: undefined,
  }
}
