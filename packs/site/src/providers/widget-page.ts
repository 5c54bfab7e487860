import { createHash, randomBytes } from 'node:crypto'
import { ToolError, type ToolErrorCode } from '@surehand/core'
import {
  EXECUTE_TIMEOUT_MS,
  type PAGE_ERROR_CODES,
  type PageCommand,
  type PageReport,
  type PageValue,
} from '../bridge-messages.ts'
import type { PageBridge, PageSession } from '../page/page-bridge-port.ts'
import type { SessionHub } from '../session/session-hub.ts'

type PageErrorCode = (typeof PAGE_ERROR_CODES)[number]

const CODES: Readonly<Record<PageErrorCode, ToolErrorCode>> = {
  not_found: 'TOOL_RESOURCE_NOT_FOUND',
  not_allowed: 'TOOL_RESOURCE_ACCESS_DENIED',
  invalid: 'TOOL_INVALID_FIELD_VALUE',
  navigation_failed: 'TOOL_RESOURCE_UNAVAILABLE',
  timeout: 'TOOL_EXECUTION_TIMEOUT',
  failed: 'TOOL_EXTERNAL_SERVICE_ERROR',
  unsupported: 'TOOL_CONFIGURATION_ERROR',
}

/** The visitor's page, through the widget: commands go down the stream, reports come back. */
export function widgetPage(hub: SessionHub): PageBridge {
  async function send(at: PageSession, id: string, command: PageCommand): Promise<void> {
    await hub.publish(at, { kind: 'execute', order: { type: 'execute', id, command } })
  }

  async function sendAndWait(
    at: PageSession,
    command: PageCommand,
    signal: AbortSignal,
    id = newCommandId(),
  ): Promise<PageValue> {
    const known = await hub.report(at, id)
    if (known !== undefined) return toValue(known)
    if (!(await hub.isConnected(at))) throw notConnectedError()
    await send(at, id, command)
    const within = AbortSignal.any([signal, AbortSignal.timeout(EXECUTE_TIMEOUT_MS)])
    try {
      return toValue(await hub.awaitReport(at, id, within))
    } catch (thrown) {
      if (signal.aborted || !within.aborted) throw thrown
      throw new ToolError(
        'TOOL_EXECUTION_TIMEOUT',
        'The page has not answered. It may still do what it was told.',
        { effect: 'possible', cause: thrown },
      )
    }
  }

  return {
    async dispatch({ tenant, session, command }) {
      const at = { tenant, session }
      const commandId = newCommandId()
      await send(at, commandId, command)
      return { commandId, isConnected: await hub.isConnected(at) }
    },
    show: ({ tenant, session, command }, signal) =>
      sendAndWait({ tenant, session }, command, signal),
    async candidates({ tenant, session, words }, signal) {
      const command = { do: 'candidates', words } as const
      return (await sendAndWait({ tenant, session }, command, signal)).candidates ?? []
    },
    async describeForm({ tenant, session, formSelector }, signal) {
      const command = { do: 'describeForm', formSelector } as const
      const { form } = await sendAndWait({ tenant, session }, command, signal)
      if (form === undefined)
        throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no form ${formSelector}.`)
      return form
    },
    async view({ tenant, session }) {
      const at = { tenant, session }
      const { url, title } = await hub.page(at)
      return { isConnected: await hub.isConnected(at), url, title }
    },
    async state({ tenant, session, commandId }) {
      const report = await hub.report({ tenant, session }, commandId)
      if (report === undefined) return { state: 'open' }
      if (report.type === 'result') return { state: 'done', value: report.value }
      if (report.type !== 'error') return { state: 'open' }
      const { code, message, candidates = [] } = report
      return { state: 'failed', code, message, candidates }
    },
    perform({ tenant, session, command, idempotencyKey }, signal) {
      // The same key is the same command for the page, which executes it once.
      const id = createHash('sha256').update(idempotencyKey).digest('base64url')
      return sendAndWait({ tenant, session }, command, signal, id)
    },
  }
}

function newCommandId(): string {
  return `cmd_${randomBytes(12).toString('base64url')}`
}

function toValue(report: PageReport): PageValue {
  if (report.type === 'result') return report.value
  if (report.type !== 'error')
    throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'The page answered something else.')
  const { code, message, candidates, form } = report
  throw new ToolError(CODES[code], `The page refused it: ${message}`, {
    effect: code === 'timeout' || code === 'failed' ? 'possible' : 'refused',
    details: {
      source_code: code,
      ...(candidates === undefined ? {} : { candidates }),
      ...(form === undefined ? {} : { problems: form.problems }),
    },
  })
}

function notConnectedError(): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    'No page of the visitor is connected. Nothing was done there.',
    { effect: 'none' },
  )
}
