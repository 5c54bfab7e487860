import { resolve } from 'node:path'
import type { Terminal } from '@surehand/cli'
import { houseCaller } from '@surehand/identity'
import { createApp } from '../app.ts'
import { type Config, readConfig } from '../config/read-config.ts'
import { keyPath, makeKeys, readKeys, rotateKeys } from '../keys.ts'
import { printUsage, type RunCommand } from './with-app.ts'

export const runKeys: RunCommand = async ([verb, file], { stdout, stderr }, at) => {
  if (verb !== 'new' && verb !== 'rotate' && verb !== 'reseal') return printUsage('keys', stderr)
  const config = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    said: { data: at.data },
  })
  const path = resolve(file ?? keyPath(config))
  if (verb === 'reseal') return reseal({ ...config, keys: path }, { stdout, stderr })
  if (verb === 'new') {
    makeKeys(path)
    stdout.write(
      `New keys are at ${path}: give every node the same file, and keep a copy where the database's backup is not.\n`,
    )
    return 0
  }
  stdout.write(
    'Stop all nodes first: one that runs on cannot open the credentials that are sealed anew.\n',
  )
  const { id, auditKeyId } = rotateKeys(path)
  stdout.write(
    `The newest keys are ${id} (fields, sessions, credentials) and ${auditKeyId} (audit). Give every node the file, and start them anew.\n`,
  )
  if (path === resolve(keyPath(config))) return reseal(config, { stdout, stderr })
  stdout.write(
    `When the app has this file, "surehand keys reseal" seals its credentials with the newest key.\n`,
  )
  return 0
}

/** Seals the credentials of all tenants with the newest key; those who were shut out may come back. */
async function reseal(
  config: Config,
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
): Promise<number> {
  // first of all: an app that finds no keys makes some, and a name that is only misspelled would become a file of keys
  readKeys(config)
  const app = await createApp(config)
  try {
    const { home } = config
    const tenants = (await app.desk.tenants.list(houseCaller(home))).map(({ id }) => id)
    let sealed = 0
    const unopened: string[] = []
    for (const tenant of new Set([home, ...tenants])) {
      const end = await app.sources.vault.reseal(tenant)
      sealed += end.resealed
      unopened.push(...end.unopened.map((id) => `${id} of ${tenant}`))
    }
    stdout.write(`${sealed} credentials and tokens were sealed with the newest key.\n`)
    if (unopened.length > 0)
      stderr.write(
        `These open with no key of the file, and stay as they are: ${unopened.join(', ')}. Set them anew.\n`,
      )
    return unopened.length === 0 ? 0 : 1
  } finally {
    await app.close()
  }
}
