import type { LocalAt, LocalHouse } from '@surehand/cli'
import { readConfig } from './config/read-config.ts'
import { localCaller, openHouse } from './house.ts'
import { machineZone } from './machine-zone.ts'
import { addressesOf } from './serve/addresses.ts'

/** The house on this machine, for one tool or for all. */
export async function openLocal(at: LocalAt, tool?: string): Promise<LocalHouse> {
  const config = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    said: { data: at.data },
    tool,
  })
  const house = await openHouse(config, { tool })
  try {
    const { publicUrl } = addressesOf(config, config.port)
    return {
      runtime: house.runtime,
      // whoever sits at this machine has its clock on the wall; who said another zone of themselves keeps it
      caller: { timeZone: machineZone(process.env.TZ), ...(await localCaller(house, at)) },
      audit: house.audit,
      questionUrl: (id) => `${publicUrl}/questions/${encodeURIComponent(id)}`,
      approvalUrl: (id) => `${publicUrl}/approvals/${encodeURIComponent(id)}`,
      close: house.close,
    }
  } catch (thrown) {
    await house.close()
    throw thrown
  }
}
