import type { Backend } from './backend.ts'
import { createLocalBackend } from './local-backend.ts'
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
export function createOneToolBackend(app: LocalApp, openWhole: () => Promise<LocalApp>): Backend {
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
