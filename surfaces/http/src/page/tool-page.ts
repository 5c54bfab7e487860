import { type Outcome, type Tool, ToolError } from '@surehand/core'
import { describe, modelInput, modelInputSchema, visibleText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { readForm } from '@surehand/edge'
import type { HttpContext } from '../http-env.ts'
import { buildAnswerField, type Field } from './answer-field.ts'
import { type RejectedForm, renderAnswerForm } from './answer-form.ts'
import { locateProblems, renderProblems } from './answer-problems.ts'
import { describeOutcome } from './describe-outcome.ts'
import { html } from './html.ts'
import { page, redirect } from './page.ts'
import { readAnswer } from './read-answer.ts'
import { renderText } from './render-value.ts'
import {
  askToSignIn,
  findSignedInPerson,
  type Pages,
  type SignedInPerson,
  verifyFormSeal,
} from './signed-in-person.ts'

const FORM_BYTES = 4_194_304

/** `GET /tools/{id}`: what a tool does, under which contract, and a form to call it with. */
export async function showTool(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const tool = await findTool(context.req.param('id') ?? '', person, pages)
  return toolResponse(tool, person, pages, {})
}

/** `POST /tools/{id}`: calls the tool as the person who is signed in. */
export async function submitCall(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined)
    return askToSignIn(
      context,
      'Your session has expired, and nothing was called. Sign in and call it again.',
    )
  const { surface } = pages
  const tool = await findTool(context.req.param('id') ?? '', person, pages)
  const form = await readForm(context.get('request'), {
    maxBytes: FORM_BYTES,
    timeoutMs: surface.bodyTimeoutMs,
    clock: surface.clock,
  })
  const key = form.get('key') ?? ''
  verifyFormSeal(form, person, sealPurpose(tool, key), pages)
  const field = inputField(tool)
  const { value, problems } =
    field === undefined ? { value: {}, problems: [] } : readAnswer(field, form)
  if (problems.length > 0)
    return toolResponse(tool, person, pages, { rejected: { form, problems } })
  const outcome = await surface.runtime.call({
    tool: tool.id,
    input: value,
    caller: surface.edge.locate(person.caller, context.get('request')),
    surface: 'page',
    // A form that is sent twice is one call.
    ...(tool.contract.isWrite ? { idempotencyKey: key } : {}),
  })
  return outcomeResponse(outcome, { tool, field, form }, person, pages)
}

type SubmittedCall = {
  readonly tool: Tool
  readonly field: Field | undefined
  readonly form: URLSearchParams
}

function outcomeResponse(
  outcome: Outcome,
  { tool, field, form }: SubmittedCall,
  person: SignedInPerson,
  pages: Pages,
): Response {
  switch (outcome.status) {
    case 'pending':
      return redirect(`/approvals/${encodeURIComponent(outcome.approval.id)}`)
    case 'asking':
      return redirect(`/questions/${encodeURIComponent(outcome.question.id)}`)
    case 'accepted':
      return redirect(`/calls/${encodeURIComponent(outcome.facts.callId)}`)
    case 'done':
      return toolResponse(tool, person, pages, { outcome })
    case 'failed': {
      const reported = outcome.error.details?.validation_errors
      if (field === undefined || !Array.isArray(reported))
        return toolResponse(tool, person, pages, { outcome })
      const problems = locateProblems(field, reported)
      return toolResponse(tool, person, pages, { rejected: { form, problems } })
    }
  }
}

// A form is valid only for the tool and the key that it was rendered with.
function sealPurpose({ id, version }: Tool, key: string): string {
  return `call\n${id}@${version}\n${key}`
}

async function findTool(id: string, { caller }: SignedInPerson, pages: Pages): Promise<Tool> {
  const { runtime } = pages.surface
  await runtime.ready(caller.tenant)
  const visible = await runtime.visibleTools(caller)
  const tool = visible.find((candidate) => candidate.id === id)
  if (tool === undefined)
    throw new ToolError(
      'TOOL_NOT_FOUND',
      `There is no tool "${id}", or you may not use it. The start page lists all tools.`,
    )
  return tool
}

/** The fields of the input, filled in with the first example; undefined for a tool without any. */
function inputField(tool: Tool): Field | undefined {
  const schema = modelInputSchema(tool)
  if (!isRecord(schema.properties) || Object.keys(schema.properties).length === 0) return undefined
  const example = modelInput(tool, tool.examples[0]?.input)
  return buildAnswerField(schema, example, example)
}

type ToolPageParts = {
  readonly rejected?: RejectedForm
  readonly outcome?: Outcome
}

function toolResponse(
  tool: Tool,
  person: SignedInPerson,
  { surface, sessions }: Pages,
  { rejected, outcome }: ToolPageParts,
): Response {
  const key = rejected?.form.get('key') ?? surface.entropy.newId('page', surface.clock.now())
  const field = inputField(tool)
  const action = `/tools/${encodeURIComponent(tool.id)}`
  const body = html`<main>
<h1>${renderText(visibleText(tool.title))}</h1>
${outcome === undefined ? undefined : html`<div class="${outcome.status === 'done' ? 'done' : 'note'}" role="status">${describeOutcome(outcome)}</div>`}
${field !== undefined && rejected !== undefined ? renderProblems(field, rejected.problems) : undefined}
<p>${renderText(visibleText(tool.description))}</p>
<h2>Contract</h2>
<ul>${contractSentences(tool).map((sentence) => html`<li>${renderText(visibleText(sentence))}</li>`)}</ul>
<h2>Call it</h2>
<form method="post" action="${action}">
<input type="hidden" name="key" value="${key}">
<input type="hidden" name="seal" value="${sessions.seal(person.session, sealPurpose(tool, key))}">
${field === undefined ? html`<p>It takes no input.</p>` : renderAnswerForm(field, rejected)}
<div class="answers"><button class="yes">${callWords(tool)}</button></div>
</form>
<h2>From a program</h2>
<div class="sample"><pre><code>${curlSample(tool, surface.origin)}</code></pre></div>
<details><summary>Schemas</summary><p>Input</p><pre><code>${JSON.stringify(modelInputSchema(tool), undefined, 2)}</code></pre><p>Output</p><pre><code>${JSON.stringify(describe(tool).output, undefined, 2)}</code></pre></details>
<p class="small"><code>${tool.id}</code>, version ${tool.version}. Signed in as ${renderText(visibleText(person.caller.principal))}.</p>
</main>`
  return page(body, {
    title: tool.title,
    status: rejected === undefined ? 200 : 400,
    script: 'pages',
  })
}

function callWords({ contract }: Tool): string {
  return contract.approval === undefined ? 'Call' : 'Request approval'
}

/** A call from the command line, with the first example of the tool. */
export function curlSample(tool: Tool, origin: string): string {
  const input = JSON.stringify(modelInput(tool, tool.examples[0]?.input) ?? {})
  const key = tool.contract.isWrite ? " -H 'Idempotency-Key: YOUR_KEY'" : ''
  // Within single quotes a shell takes everything literally but the quote itself.
  return `curl ${origin}/v1/tools/${tool.id}/call \\\n  -H 'Authorization: Bearer YOUR_TOKEN' -H 'Content-Type: application/json'${key} \\\n  -d '${input.replaceAll("'", "'\\''")}'`
}

const APPROVALS = {
  confirm: 'The person for whom it is called approves it first',
  consent: 'The person whom it concerns consents first',
  admin: 'An administrator approves it first',
} as const

/** The contract of a tool, as people say it. */
export function contractSentences({ contract }: Tool): readonly string[] {
  const { isWrite, effect, reversible, approval, roles, capabilityNames, retries } = contract
  const needs = [
    ...(roles.length === 0 ? [] : [`the role ${roles.join(' or ')}`]),
    ...(capabilityNames.length === 0 ? [] : [`the capability ${capabilityNames.join(', ')}`]),
  ]
  return [
    isWrite
      ? `It changes something (${effect}), ${reversible ? 'which can be undone' : 'which cannot be undone'}.`
      : 'It only reads.',
    ...(approval === undefined ? [] : [`${APPROVALS[approval.kind]}.`]),
    ...(isWrite ? ['A call with the same idempotency key runs once.'] : []),
    needs.length === 0 ? 'Everyone may call it.' : `It needs ${needs.join(' and ')}.`,
    `An attempt may take ${formatSeconds(contract.timeoutMs)}${retries === 0 ? '' : `; it is repeated up to ${retries} ${retries === 1 ? 'time' : 'times'}`}.`,
    ...contract.limits.map(
      ({ calls, windowMs }) =>
        `At most ${calls} ${calls === 1 ? 'call' : 'calls'} in ${formatSeconds(windowMs)}.`,
    ),
  ]
}

function formatSeconds(ms: number): string {
  const [count, unit] = ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1_000, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
