import type { Backend } from './backend.ts'
import { createLocalBackend } from './local-backend.ts'
import type { LocalApp } from './options.ts'

/**
 * An app that was opened for one tool: it tells of that tool and calls it.
 * Whatever else is asked may be about any tool, and is asked of the whole app, which is opened for it.
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
    // whoever waits works on jobs meanwhile, and those may be of any tool
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
      // one that could not be opened has nothing to close
      const opened = await opening?.catch(() => undefined)
      await Promise.all([own.close(), opened?.close()])
    },
  }
}
