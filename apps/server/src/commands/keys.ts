import { resolve } from 'node:path'
import type { Terminal } from '@surehand/cli'
import { systemCaller } from '@surehand/identity'
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
    overrides: { data: at.data },
  })
  const path = resolve(file ?? keyPath(config))
  if (verb === 'reseal') return reseal({ ...config, keys: path }, { stdout, stderr })
  if (verb === 'new') {
    makeKeys(path)
    stdout.write(
      `New keys were written to ${path}. Give every node the same file, and store a copy apart from the backup of the database.\n`,
    )
    return 0
  }
  stdout.write(
    'Stop all nodes first: a running node cannot decrypt credentials that are encrypted with the new key.\n',
  )
  const { id, auditKeyId } = rotateKeys(path)
  stdout.write(
    `The newest keys are ${id} (fields, sessions, credentials) and ${auditKeyId} (audit). Give every node the file, and restart them.\n`,
  )
  if (path === resolve(keyPath(config))) return reseal(config, { stdout, stderr })
  stdout.write(
    `When the app has this file, "surehand keys reseal" seals its credentials with the newest key.\n`,
  )
  return 0
}

/** Encrypts the credentials of all tenants with the newest key. */
async function reseal(
  config: Config,
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
): Promise<number> {
  // Before createApp, which creates missing keys: a misspelled name must not become a new key file.
  readKeys(config)
  const app = await createApp(config)
  try {
    const { home } = config
    const tenants = (await app.identityApi.tenants.list(systemCaller(home))).map(({ id }) => id)
    let sealed = 0
    const unopened: string[] = []
    for (const tenant of new Set([home, ...tenants])) {
      const end = await app.imports.vault.reseal(tenant)
      sealed += end.resealed
      unopened.push(...end.unopened.map((id) => `${id} of ${tenant}`))
    }
    stdout.write(`${sealed} credentials and tokens were encrypted with the newest key.\n`)
    if (unopened.length > 0)
      stderr.write(
        `No key of the file decrypts these, so they were left unchanged: ${unopened.join(', ')}. Set them again with "surehand credentials set".\n`,
      )
    return unopened.length === 0 ? 0 : 1
  } finally {
    await app.close()
  }
}
