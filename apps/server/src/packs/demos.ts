import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pack } from '@surehand/core'
import type { PackServices, RunningDemo } from '@surehand/core/host'
import type { Config } from '../config/read-config.ts'

type DemoConfig = Pick<Config, 'data' | 'home' | 'packs'>

/** The demos of all packs, running. */
export type Demos = {
  readonly links: RunningDemo['links']
  readonly seed: (servicesOf: (pack: string) => PackServices) => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts the emulators of packs. Their addresses are written into the data folder, where commands
 * of other processes find them.
 */
export async function startDemos(config: DemoConfig, publicUrl: string): Promise<Demos> {
  const running: { readonly pack: Pack; readonly demo: RunningDemo }[] = []
  const stop = async (): Promise<void> => {
    for (const { pack } of running) rmSync(environmentFile(config, pack.name), { force: true })
    await Promise.all(running.map(({ demo }) => demo.stop()))
  }
  try {
    for (const pack of config.packs) {
      if (pack.demo === undefined) continue
      const folder = join(config.data, 'packs', pack.name, 'demo')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const demo = await pack.demo({ folder, publicUrl, tenant: config.home })
      running.push({ pack, demo })
      writeFileSync(environmentFile(config, pack.name), JSON.stringify(demo.environment), {
        mode: 0o600,
      })
    }
  } catch (thrown) {
    await stop()
    throw thrown
  }
  return {
    links: running.flatMap(({ demo }) => demo.links ?? []),
    async seed(servicesOf) {
      for (const { pack, demo } of running)
        await demo.seed?.(waitForOtherNodes(servicesOf(pack.name)))
    },
    stop,
  }
}

/** Nodes that start at once write the same data with the same keys: each takes the one answer. */
function waitForOtherNodes(services: PackServices): PackServices {
  const call: PackServices['call'] = async (request) => {
    const outcome = await services.call({ ...request, whenRunning: 'wait' })
    const isRunning = outcome.status === 'failed' && outcome.error.code === 'TOOL_ALREADY_RUNNING'
    // The wait ends with the deadline of the call, which the other node may need several of.
    return isRunning ? call(request) : outcome
  }
  return { ...services, call }
}

/** The variables of a demo that runs on this data folder; empty where none does. */
export function demoEnvironment(
  config: Pick<Config, 'data'>,
  pack: string,
): Readonly<Record<string, string>> {
  const file = environmentFile(config, pack)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}

function environmentFile({ data }: Pick<Config, 'data'>, pack: string): string {
  return join(data, 'packs', pack, 'demo.json')
}
