import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

const Founded = z.strictObject({ home: z.string(), demo: z.boolean() })

/** What a house was opened as the first time, so that whoever comes to its folder later finds the same house. */
export type Founded = z.infer<typeof Founded>

function fileIn(data: string): string {
  return join(data, 'house.json')
}

export function readFounded(data: string): Founded | undefined {
  const file = fileIn(data)
  if (!existsSync(file)) return undefined
  try {
    return Founded.parse(JSON.parse(readFileSync(file, 'utf8')), { jitless: true })
  } catch (thrown) {
    throw new ConfigError(
      `${file} can not be read: write {"home":"…","demo":false} into it, with the name of the first tenant.`,
      {
        cause: thrown,
      },
    )
  }
}

export function writeFounded(data: string, founded: Founded): void {
  const known = readFounded(data)
  if (known === undefined)
    writeFileSync(fileIn(data), `${JSON.stringify({ home: founded.home, demo: founded.demo })}\n`, {
      mode: 0o600,
    })
  // under another name nobody would be known, and everybody's calls would be a stranger's
  else if (known.home !== founded.home)
    throw new ConfigError(
      `The house in ${data} has the first tenant "${known.home}", and the setting home says "${founded.home}": leave it out, or name another data folder.`,
    )
}
