import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

const Installation = z.strictObject({ home: z.string(), demo: z.boolean() })

/** What an app was opened as the first time, so that whoever comes to its folder later finds the same app. */
export type Founded = z.infer<typeof Installation>

function installationFile(data: string): string {
  return join(data, 'app.json')
}

export function readInstallation(data: string): Founded | undefined {
  const file = installationFile(data)
  if (!existsSync(file)) return undefined
  try {
    return Installation.parse(JSON.parse(readFileSync(file, 'utf8')), { jitless: true })
  } catch (thrown) {
    throw new ConfigError(
      `${file} cannot be read: write {"home":"…","demo":false} into it, with the name of the first tenant.`,
      {
        cause: thrown,
      },
    )
  }
}

export function writeInstallation(data: string, founded: Founded): void {
  const known = readInstallation(data)
  if (known === undefined)
    writeFileSync(
      installationFile(data),
      `${JSON.stringify({ home: founded.home, demo: founded.demo })}\n`,
      {
        mode: 0o600,
      },
    )
  // under another name nobody would be known, and everybody's calls would be a stranger's
  else if (known.home !== founded.home)
    throw new ConfigError(
      `The app in ${data} has the first tenant "${known.home}", and the setting home says "${founded.home}": leave it out, or name another data folder.`,
    )
}
