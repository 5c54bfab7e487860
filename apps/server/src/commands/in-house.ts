import type { LocalAt, Terminal } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { houseCaller } from '@surehand/identity'
import { readConfig } from '../config/read-config.ts'
import { type House, localCaller, openHouse } from '../house.ts'
import { USAGES } from './usages.ts'

/** A command about a house on this machine. */
export type AppRun = (args: readonly string[], terminal: Terminal, at: LocalAt) => Promise<number>

export type HouseWork = (
  house: House,
  by: Caller,
  args: readonly string[],
  terminal: Terminal,
) => Promise<number>

/** A command of whoever holds the data folder: done in the house itself, in its own name. */
export function inHouse(work: HouseWork): AppRun {
  return opening(work, async (house, at) => houseCaller(at.tenant ?? house.config.home))
}

/** The same as a person, where it is written down who did it. */
export function asPerson(work: HouseWork): AppRun {
  return opening(work, localCaller)
}

function opening(work: HouseWork, who: (house: House, at: LocalAt) => Promise<Caller>): AppRun {
  return async (args, terminal, at: LocalAt) => {
    const config = await readConfig({
      env: process.env,
      folder: process.cwd(),
      file: at.config,
      said: { data: at.data },
    })
    const house = await openHouse(config)
    try {
      return await work(house, await who(house, at), args, terminal)
    } finally {
      await house.close()
    }
  }
}

export function misused(command: keyof typeof USAGES, stderr: Terminal['stderr']): number {
  stderr.write(`${USAGES[command].usage}\n`)
  return 2
}
