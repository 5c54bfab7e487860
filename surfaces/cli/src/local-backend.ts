import {
  type Approval,
  type ApprovalState,
  approvalView,
  describe,
  modelInputSchema,
  type Outcome,
  openCallView,
  parseJson,
  type Runtime,
  sleep,
  systemClock,
  type Tool,
  type ToolDefinition,
  ToolError,
  toEnvelope,
  wantsKey,
} from '@surehand/core'
import type { Backend, CallForm, Question, ToolFacts, Waiting } from './backend.ts'
import type { LocalHouse } from './options.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500
const MAX_EDIT_BYTES = 16 * 1024 * 1024

/** A house in this process. */
export function localBackend(house: LocalHouse): Backend {
  const { runtime, caller, audit } = house
  const options = house.approvalUrl === undefined ? {} : { approvalUrl: house.approvalUrl }
  const discovery = async () => {
    await runtime.ready(caller.tenant)
    return runtime.discovery(caller)
  }
  const facts = (definition: ToolDefinition): ToolFacts => factsOf(definition, runtime)
  const view = (approval: Approval): Question => approvalView(approval, house.approvalUrl)

  async function waitedFor(callId: string, waiting: Waiting): Promise<Outcome> {
    const outcome = await awaitAnswer(house, callId, waiting)
    if (outcome === undefined) throw missing(callId)
    return outcome
  }

  return {
    tools: async (category) =>
      (await discovery())
        .listTools()
        .filter((tool) => category === undefined || tool.category === category)
        .map(facts),
    search: async (words, limit) =>
      (await discovery())
        .searchTools(words)
        .slice(0, limit)
        .map(({ tool }) => facts(tool)),
    async describe(name) {
      const definition = (await discovery()).getTool(name)
      return definition === null ? undefined : facts(definition)
    },
    call: async (form) => toEnvelope(await called(form, house), options),
    answer: async (callId, waiting) => toEnvelope(await waitedFor(callId, waiting), options),
    openJobs: async () => (await runtime.openCalls(caller)).map(openCallView),
    async cancel(callId) {
      if (await runtime.cancel(caller, callId)) return
      if ((await runtime.answer(caller, callId)) === undefined) throw missing(callId)
      throw new ToolError('TOOL_GATE_CLOSED', `The call ${callId} has begun or ended: it can not be cancelled any more.`, {
        details: { source_code: 'not_cancellable', call_id: callId },
      })
    },
    settle: (callId, evidence) => runtime.resolveUnknown(caller, callId, evidence),
    questions: async (state) => (await runtime.approvals.listFor(caller, state as ApprovalState | undefined)).map(view),
    question: async (id) => view(await runtime.approvals.getFor(caller, id)),
    decide: async (id, verdict) => view(await runtime.approvals.decide(caller, id, verdict)),
    edit: async (id, json) => view(await runtime.approvals.edit(caller, id, parseJson(json, MAX_EDIT_BYTES))),
    audit: async ({ callId, tool, limit }) =>
      audit.list({
        tenant: caller.tenant,
        limit,
        ...(callId === undefined ? {} : { callId }),
        ...(tool === undefined ? {} : { toolName: tool }),
      }),
    async exportAudit() {
      if (audit.export === undefined) throw notHere('exported')
      return audit.export(caller.tenant)
    },
    async verifyAudit() {
      if (audit.verify === undefined) throw notHere('verified')
      return audit.verify(caller.tenant)
    },
    close: house.close,
  }
}

async function called(form: CallForm, house: LocalHouse): Promise<Outcome> {
  const outcome = await house.runtime.call({
    tool: form.tool,
    input: undefined,
    json: form.json,
    caller: house.caller,
    surface: 'cli',
    signal: form.signal,
    onProgress: form.onProgress,
    ...(form.key === undefined ? {} : { idempotencyKey: form.key }),
    ...(form.waitMs === undefined ? {} : { withinMs: form.waitMs, whenRunning: 'wait' }),
    ...(form.repeat === undefined ? {} : { repeat: form.repeat }),
    ...(form.requestId === undefined ? {} : { requestId: form.requestId }),
  })
  if (outcome.status !== 'accepted' || form.waitMs === undefined) return outcome
  return (await awaitAnswer(house, outcome.facts.callId, { waitMs: form.waitMs, signal: form.signal })) ?? outcome
}

/** Looks for the answer and meanwhile works on jobs: there may be no other worker, and beside one it does no harm. */
async function awaitAnswer({ runtime, caller }: LocalHouse, callId: string, { waitMs, signal }: Waiting): Promise<Outcome | undefined> {
  const first = await runtime.answer(caller, callId)
  if (waitMs === 0 || first === undefined || !isOpen(first)) return first
  const clock = systemClock()
  const until = clock.ticks() + waitMs
  runtime.start()
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const leftMs = until - clock.ticks()
      const outcome = await runtime.answer(caller, callId)
      if (outcome === undefined || !isOpen(outcome) || leftMs <= 0 || signal.aborted) return outcome
      // whoever stops waiting is told how far it is
      await sleep(clock, Math.min(pauseMs, leftMs), signal).catch(() => undefined)
    }
  } finally {
    await runtime.stop()
  }
}

function isOpen({ status }: Outcome): boolean {
  return status === 'accepted' || status === 'pending'
}

function factsOf(definition: ToolDefinition, runtime: Runtime): ToolFacts {
  const tool = runtime.tools().find(({ id }) => id === definition.id) as Tool
  const { effect, reversible, approval, sensitive } = describe(tool)
  return {
    definition,
    input: modelInputSchema(tool),
    effect,
    reversible,
    approval,
    secrets: sensitive,
    wantsKey: wantsKey(tool),
  }
}

function missing(callId: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`, { details: { call_id: callId } })
}

function notHere(done: string): ToolError {
  return new ToolError('TOOL_TEMPORARILY_DISABLED', `The audit can not be ${done} here: this store does not keep it that way.`)
}
