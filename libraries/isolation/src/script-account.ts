import { spawnSync } from 'node:child_process'
import { ToolError } from '@surehand/core'

/** The Node binary that scripts run with, and the account where it is not this process's own. */
export type ScriptAccount = {
  readonly node: string
  readonly uid?: number
  readonly gid?: number
}

const SAME: ScriptAccount = { node: process.execPath }
// The account that Linux calls "nobody": it owns no files and may signal no process of another
// account.
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

// The second path reaches the running binary where its folder is closed to other accounts, as in a
// checkout below /root.
const NODE_PATHS = [process.execPath, '/proc/self/exe']

/**
 * Chooses the account that scripts run with. Throws where it has to be another account than this
 * process's and that is not possible: a script that runs as root without being noticed could read
 * and end everything on the machine.
 */
export function chooseScriptAccount(
  folder: string,
  wanted: 'separate' | 'same' | undefined,
): ScriptAccount {
  const canSwitch = process.platform === 'linux' && process.getuid?.() === 0
  if (wanted === 'same' || (wanted === undefined && !canSwitch)) return SAME
  if (!canSwitch) throw noSeparateAccount('only a process that runs as root on Linux can switch')
  const node = NODE_PATHS.find((path) => canRunScripts(path, folder))
  if (node === undefined) throw noSeparateAccount(`that account cannot read ${folder}`)
  return { node, ...UNPRIVILEGED }
}

/**
 * Tried instead of computed, because modes, access lists, capabilities and user namespaces all have
 * an influence.
 */
function canRunScripts(node: string, folder: string): boolean {
  const { status } = spawnSync(node, ['-e', "require('node:fs').readdirSync('.')"], {
    ...UNPRIVILEGED,
    cwd: folder,
    env: {},
    stdio: 'ignore',
  })
  return status === 0
}

function noSeparateAccount(why: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Scripts cannot run with an account of their own (uid ${UNPRIVILEGED.uid}): ${why}.`,
    {
      suggestions: [
        'Put the scripts into a folder that all accounts may read, or run the server as an unprivileged account.',
        "To run them with the server's own account, set scriptImplementation({ account: 'same' }).",
      ],
    },
  )
}
