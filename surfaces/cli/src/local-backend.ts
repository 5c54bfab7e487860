import { type Outcome, type Runtime, type Tool, ToolError, toEnvelope } from '@surehand/core'
import {
  type ApprovalView,
  approvalView,
  awaitAnswer as awaitStoredAnswer,
  describe,
  isOpen,
  modelInputSchema,
  openCallView,
  parseJson,
  type QuestionView,
  questionView,
  wantsKey,
} from '@surehand/core/host'
import {
  type Approval,
  type ApprovalState,
  type Question,
  type QuestionState,
  systemClock,
} from '@surehand/core/ports'
import { discoverTools, type ToolDefinition } from '@surehand/documents'
import type { Backend, CallRequest, ToolFacts, WaitOptions } from './backend.ts'
import type { LocalApp } from './options.ts'

/** Opens the local app, for one tool or for all. */
export async function openLocalBackend(
  open: (tool?: string) => Promise<LocalApp>,
  tool: string | undefined,
): Promise<Backend> {
  return tool === undefined
    ? createLocalBackend(await open())
    : createOneToolBackend(await open(tool), open)
}

/**
 * The backend of an app that was opened for one tool: it describes and calls that tool.
 * Everything else may concern any tool, so the complete app is opened for it on first use.
 */
function createOneToolBackend(app: LocalApp, openWhole: () => Promise<LocalApp>): Backend {
  const own = createLocalBackend(app)
  let opening: Promise<Backend> | undefined
  const whole = (): Promise<Backend> => {
    opening ??= openWhole().then(createLocalBackend)
    return opening
  }
  return {
    describe: own.describe,
    // A waiting call also runs queued jobs, which may be of any tool.
    call: async (form) => (form.waitMs === undefined ? own : await whole()).call(form),
    tools: async (category) => (await whole()).tools(category),
    search: async (words, limit) => (await whole()).search(words, limit),
    answer: async (callId, waiting) => (await whole()).answer(callId, waiting),
    runTree: async (callId) => (await whole()).runTree(callId),
    openJobs: async () => (await whole()).openJobs(),
    cancel: async (callId) => (await whole()).cancel(callId),
    resolveUnknown: async (callId, evidence) => (await whole()).resolveUnknown(callId, evidence),
    approvals: async (state) => (await whole()).approvals(state),
    approval: async (id) => (await whole()).approval(id),
    decide: async (id, verdict) => (await whole()).decide(id, verdict),
    delegate: async (id, to) => (await whole()).delegate(id, to),
    edit: async (id, json) => (await whole()).edit(id, json),
    questions: async (state) => (await whole()).questions(state),
    question: async (id) => (await whole()).question(id),
    answerQuestion: async (id, given) => (await whole()).answerQuestion(id, given),
    audit: async (query) => (await whole()).audit(query),
    exportAudit: async () => (await whole()).exportAudit(),
    verifyAudit: async () => (await whole()).verifyAudit(),
    async close() {
      // An app that failed to open has nothing to close.
      const opened = await opening?.catch(() => undefined)
      await Promise.all([own.close(), opened?.close()])
    },
  }
}

const MOST_JOBS = 10_000
const MAX_EDIT_BYTES = 16 * 1024 * 1024

/** A backend that uses an app in this process. */
function createLocalBackend(app: LocalApp): Backend {
  const { runtime, caller } = app
  const options = {
    ...(app.approvalUrl === undefined ? {} : { approvalUrl: app.approvalUrl }),
    ...(app.questionUrl === undefined ? {} : { questionUrl: app.questionUrl }),
    fetchAnswer: (callId: string) => `surehand jobs show ${callId}`,
  }
  const discovery = async () => {
    await runtime.ready(caller.tenant)
    return discoverTools(runtime, caller)
  }
  const facts = (definition: ToolDefinition): ToolFacts =>
    factsOf(definition, caller.tenant, runtime)
  const viewApproval = (approval: Approval): ApprovalView => approvalView(approval, app.approvalUrl)
  const viewQuestion = (question: Question): QuestionView => questionView(question, app.questionUrl)

  async function requireAnswer(callId: string, waiting: WaitOptions): Promise<Outcome> {
    const outcome = await awaitAnswer(app, callId, waiting)
    if (outcome === undefined) throw callNotFound(callId)
    return outcome
  }

  return {
    tools: async (category) =>
      (await discovery())
        .listTools()
        .filter((tool) => category === undefined || tool.category === category)
        .map(facts),
    async search(words, limit) {
      await runtime.ready(caller.tenant, words)
      return (await discovery())
        .searchTools(words)
        .slice(0, limit)
        .map(({ tool }) => facts(tool))
    },
    async describe(name) {
      const definition = (await discovery()).getTool(name)
      return definition === null ? undefined : facts(definition)
    },
    call: async (form) => toEnvelope(await runCall(form, app), options),
    answer: async (callId, waiting) => toEnvelope(await requireAnswer(callId, waiting), options),
    async runTree(callId) {
      const tree = await runtime.runTree(caller, callId)
      if (tree === undefined) throw callNotFound(callId)
      return tree
    },
    openJobs: async () =>
      (await runtime.openCalls(caller, { limit: MOST_JOBS })).items.map(openCallView),
    cancel: async (callId) => ((await runtime.cancel(caller, callId)) ? 'cancelled' : 'stopping'),
    resolveUnknown: (callId, evidence) => runtime.resolveUnknown(caller, callId, evidence),
    approvals: async (state) =>
      (await runtime.approvals.listFor(caller, state as ApprovalState | undefined)).map(
        viewApproval,
      ),
    approval: async (id) => viewApproval(await runtime.approvals.getFor(caller, id)),
    decide: async (id, verdict) =>
      viewApproval(await runtime.approvals.decide(caller, id, verdict)),
    delegate: async (id, to) => viewApproval(await runtime.approvals.delegate(caller, id, to)),
    edit: async (id, json) =>
      viewApproval(await runtime.approvals.edit(caller, id, parseJson(json, MAX_EDIT_BYTES))),
    questions: async (state) =>
      (await runtime.questions.listFor(caller, state as QuestionState | undefined)).map(
        viewQuestion,
      ),
    question: async (id) => viewQuestion(await runtime.questions.getFor(caller, id)),
    answerQuestion: async (id, given) =>
      viewQuestion(await runtime.questions.answer(caller, id, given)),
    ...createAuditMethods(app),
    close: app.close,
  }
}

function createAuditMethods({
  audit,
  caller,
}: LocalApp): Pick<Backend, 'audit' | 'exportAudit' | 'verifyAudit'> {
  return {
    audit: async ({ callId, tool, limit }) =>
      audit.list({
        tenant: caller.tenant,
        limit,
        ...(callId === undefined ? {} : { callId }),
        ...(tool === undefined ? {} : { toolName: tool }),
      }),
    async exportAudit() {
      if (audit.export === undefined) throw auditUnavailable('exported')
      return audit.export(caller.tenant)
    },
    async verifyAudit() {
      if (audit.verify === undefined) throw auditUnavailable('verified')
      return audit.verify(caller.tenant)
    },
  }
}

async function runCall(form: CallRequest, app: LocalApp): Promise<Outcome> {
  const outcome = await app.runtime.call({
    tool: form.tool,
    input: undefined,
    json: form.json,
    caller: app.caller,
    surface: 'cli',
    signal: form.signal,
    onProgress: form.onProgress,
    ...(form.key === undefined ? {} : { idempotencyKey: form.key }),
    ...(form.notify === undefined ? {} : { notify: form.notify }),
    ...(form.waitMs === undefined ? {} : { withinMs: form.waitMs, whenRunning: 'wait' }),
    ...(form.repeat === undefined ? {} : { repeat: form.repeat }),
    ...(form.requestId === undefined ? {} : { requestId: form.requestId }),
  })
  if (outcome.status !== 'accepted' || form.waitMs === undefined) return outcome
  const { waitMs, signal, onProgress } = form
  return (
    (await awaitAnswer(app, outcome.facts.callId, {
      waitMs,
      signal,
      until: 'news',
      onProgress,
    })) ?? outcome
  )
}

/**
 * Waits for the answer and runs queued jobs meanwhile: there may be no other worker, and a second
 * one does no harm.
 */
async function awaitAnswer(
  app: LocalApp,
  callId: string,
  waiting: WaitOptions,
): Promise<Outcome | undefined> {
  const { runtime, caller } = app
  const first = await runtime.answer(caller, callId)
  if (waiting.waitMs === 0 || first === undefined || !isOpen(first, waiting.until)) return first
  runtime.start()
  try {
    return await awaitStoredAnswer(runtime, caller, callId, { ...waiting, clock: systemClock() })
  } catch (thrown) {
    // Who stops waiting gets the state so far.
    if (!waiting.signal.aborted) throw thrown
    return await runtime.answer(caller, callId)
  } finally {
    await runtime.stop()
  }
}

function factsOf(definition: ToolDefinition, tenant: string, runtime: Runtime): ToolFacts {
  const tool = runtime.tools(tenant).find(({ id }) => id === definition.id) as Tool
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

function callNotFound(callId: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`, {
    details: { call_id: callId },
  })
}

function auditUnavailable(done: string): ToolError {
  return new ToolError(
    'TOOL_TEMPORARILY_DISABLED',
    `The audit cannot be ${done} here: this store has no audit tree.`,
  )
}
