import { resolve } from 'node:path'
import { readConfig } from '../config/read-config.ts'
import { keyPathOf, makeKeys, rotateKeys } from '../keys.ts'
import type { AppRun } from './in-house.ts'
import { USAGES } from './usages.ts'

export const runKeys: AppRun = async ([verb, file], { stdout, stderr }, at) => {
  if (verb !== 'new' && verb !== 'rotate') {
    stderr.write(`${USAGES.keys.usage}\n`)
    return 2
  }
  const config = await readConfig({ env: process.env, folder: process.cwd(), file: at.config, said: { data: at.data } })
  const path = file === undefined ? keyPathOf(config) : resolve(file)
  if (verb === 'new') {
    makeKeys(path)
    stdout.write(`New keys are at ${path}: give every node the same file, and keep a copy where the database's backup is not.\n`)
    return 0
  }
  const { id, auditKeyId } = rotateKeys(path)
  stdout.write(
    `The newest keys are ${id} (fields, sessions) and ${auditKeyId} (audit). Stop all nodes, give every node the file, and start them.\n`,
  )
  return 0
}
