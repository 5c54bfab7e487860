import { type LocalApp, type LocalTarget, safeText } from '@surehand/cli'
import { createApp, resolveLocalCaller } from './app.ts'
import { readConfig } from './config/read-config.ts'
import { machineZone } from './machine-zone.ts'
import { addressesOf } from './serve/addresses.ts'

/** Opens the app in a local data folder, for one tool or for all. */
export async function openLocalApp(at: LocalTarget, tool?: string): Promise<LocalApp> {
  const config = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    overrides: { data: at.data },
    tool,
  })
  const app = await createApp(config, { tool, onUnexpectedError: printUnexpectedError })
  try {
    const { publicUrl } = addressesOf(config, config.port)
    return {
      runtime: app.runtime,
      // The machine's time zone, unless the principal has set another.
      caller: { timeZone: machineZone(process.env.TZ), ...(await resolveLocalCaller(app, at)) },
      audit: app.audit,
      questionUrl: (id) => `${publicUrl}/questions/${encodeURIComponent(id)}`,
      approvalUrl: (id) => `${publicUrl}/approvals/${encodeURIComponent(id)}`,
      close: app.close,
    }
  } catch (thrown) {
    await app.close()
    throw thrown
  }
}

// Standard error is the log of a local command. The text may come from a provider, and terminals
// obey escapes.
function printUnexpectedError(error: unknown, callId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(safeText(`Unexpected error in the call ${callId}: ${text}\n`))
}
