import { spawnSync } from 'node:child_process'

export type ScriptUser = { readonly uid: number; readonly gid: number }

const NOBODY: ScriptUser = { uid: 65_534, gid: 65_534 }

/**
 * As whom scripts run: as nobody where we are root on Linux and nobody can run Node and read the folder, else as ourselves.
 * It is tried, not worked out: modes, access lists, capabilities and user namespaces all have a say.
 */
export function scriptUser(folder: string): ScriptUser | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const tried = spawnSync(process.execPath, ['-e', "require('node:fs').readdirSync('.')"], {
    ...NOBODY,
    cwd: folder,
    env: {},
    stdio: 'ignore',
  })
  return tried.status === 0 ? NOBODY : undefined
}
