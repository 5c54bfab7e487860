import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'

/** A folder outside the repository; every file of tests has one. */
export const root = mkdtempSync(join(tmpdir(), 'surehand-packed-'))

/** A user's environment: nothing of this repository is on the path or among the settings. */
export function environment(): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)]
  return {
    PATH: path.filter((folder) => !folder.includes('node_modules/.bin')).join(delimiter),
    HOME: root,
    npm_config_registry: inject('registry'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_cache: join(root, 'npm-cache'),
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
  }
}

export async function run(folder: string, program: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, {
    cwd: folder,
    env: environment(),
    maxBuffer: 1e8,
  })
  return stdout
}
