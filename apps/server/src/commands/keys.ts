import { resolve } from 'node:path'
import { systemCaller } from '@surehand/identity'
import { createApp } from '../app.ts'
import { type Config, readConfig } from '../config/read-config.ts'
import { keyPath, makeKeys, readKeys, rotateKeys } from '../keys.ts'
import { type Output, printAnswer, type RunCommand, readOutput, wrongUsage } from './with-app.ts'

export const runKeys: RunCommand = async (args, terminal, at) => {
  const { words, output } = readOutput(args, terminal)
  const [verb, file] = words
  if (verb !== 'new' && verb !== 'rotate' && verb !== 'reseal') throw wrongUsage('keys')
  const config = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    overrides: { data: at.data },
  })
  const path = resolve(file ?? keyPath(config))
  if (verb === 'reseal') return reseal({ ...config, keys: path }, output)
  if (verb === 'new') {
    makeKeys(path)
    printAnswer(output, {
      data: { file: path },
      text: `New keys were written to ${path}. Give every node the same file, and store a copy apart from the backup of the database.\n`,
    })
    return 0
  }
  const { id, auditKeyId } = rotateKeys(path)
  const rotated: Rotated = {
    data: { file: path, id, audit: auditKeyId },
    text: [
      'Stop all nodes first: a running node cannot decrypt credentials that are encrypted with the new key.\n',
      `The newest keys are ${id} (fields, sessions, credentials) and ${auditKeyId} (audit). Give every node the file, and restart them.\n`,
    ].join(''),
  }
  if (path === resolve(keyPath(config))) return reseal(config, output, rotated)
  printAnswer(output, {
    data: rotated.data,
    text: `${rotated.text}When the app has this file, "surehand keys reseal" seals its credentials with the newest key.\n`,
  })
  return 0
}

type Rotated = { readonly data: object; readonly text: string }

/** Encrypts the credentials of all tenants with the newest key. */
async function reseal(
  config: Config,
  output: Output,
  before: Rotated = { data: {}, text: '' },
): Promise<number> {
  // Before createApp, which creates missing keys: a misspelled name must not become a new key file.
  readKeys(config)
  const app = await createApp(config, { writer: 'calling-thread' })
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
    printAnswer(output, {
      data: { ...before.data, resealed: sealed, unopened },
      text: `${before.text}${sealed} credentials and tokens were encrypted with the newest key.\n`,
      ...(unopened.length === 0
        ? {}
        : {
            note: `No key of the file decrypts these, so they were left unchanged: ${unopened.join(', ')}. Set them again with "surehand credentials set".\n`,
          }),
    })
    return unopened.length === 0 ? 0 : 1
  } finally {
    await app.close()
  }
}
