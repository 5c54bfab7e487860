import { type Credential, maySee } from '../approvals/may-decide.ts'
import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import type { GivenAnswer, Question } from '../ports/runs.ts'

/** Whose answer it would be; refuses whoever may not give it. What is asked of a person no agent answers for them. */
export function answererOf(
  by: Caller,
  question: Question,
  credential: Credential,
  { policyOf, scheme }: Pick<PipelineContext, 'policyOf' | 'scheme'>,
): Omit<GivenAnswer, 'at' | 'json'> {
  const given = (kind: GivenAnswer['credential'], host?: string) => ({
    by: by.principal,
    credential: kind,
    host,
  })
  if (!maySee(by, question, scheme))
    throw refused(question, 'It is answered by whoever it was asked for, or an approver.')
  if (credential.kind === 'attested') {
    if (by.principal !== question.principal)
      throw refused(question, "A host relays its own person's answer, not somebody else's.")
    if (!takesFrom(credential.host, question, { policyOf }))
      throw refused(question, `The host "${credential.host}" is not trusted to relay an answer.`)
    return given('attested', credential.host)
  }
  if (by.actor !== 'ai_agent') return given('own')
  if (question.from === 'person')
    throw refused(question, 'It is asked of a person: an agent does not answer it.')
  return given('model')
}

/** Would what this host relays count? */
export function takesFrom(
  host: string,
  { from, tenant }: Question,
  { policyOf }: Pick<PipelineContext, 'policyOf'>,
): boolean {
  return from === 'model' || policyOf(tenant)?.trustedHosts?.includes(host) === true
}

function refused(question: Question, message: string): ToolError {
  return new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', message, {
    details: { question_id: question.id, from: question.from },
  })
}
