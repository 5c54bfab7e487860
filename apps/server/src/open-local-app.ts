import { readlinkSync, statSync } from 'node:fs'
import { type LocalApp, type LocalTarget, safeText } from '@surehand/cli'
import { createApp, resolveLocalCaller } from './app.ts'
import { requireData } from './commands/with-app.ts'
import { readConfig } from './config/read-config.ts'
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
  requireData(config)
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

const ZONES = '/usr/share/zoneinfo/'
const NAME =
  /^(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:\/[A-Za-z0-9_+-]+)+$/

/** The machine's time zone by its IANA name, from `TZ` or the system. */
export function machineZone(variable: string | undefined, localtime = '/etc/localtime'): string {
  const name = variable === undefined || variable === '' ? linkedZone(localtime) : variable
  if (name === 'UTC' || name === 'Etc/UTC') return 'UTC'
  // Intl gives the same result, but loads calendar data first, which takes milliseconds.
  return NAME.test(name) && isFile(ZONES + name)
    ? name
    : new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function linkedZone(path: string): string {
  try {
    return readlinkSync(path).split('/zoneinfo/').at(-1) ?? ''
  } catch {
    // A copy instead of a link, or a system that stores it elsewhere.
    return ''
  }
}

// A folder of zones is not a zone.
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
