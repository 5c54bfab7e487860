import { parseArgs } from 'node:util'
import type { Terminal } from '@surehand/cli'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { serve } from '../serve/serve.ts'
import { welcomeText } from './welcome.ts'
import type { RunCommand } from './with-app.ts'

export const runServe: RunCommand = async (args, terminal, at) => {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' }, host: { type: 'string' }, demo: { type: 'boolean' } },
  })
  const demo = values.demo === true ? { demo: true, home: process.env.SUREHAND_HOME ?? 'demo' } : {}
  const overrides = { ...demo, port: values.port, host: values.host, data: at.data }
  const config = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    overrides,
  })
  const log = createLog(config)
  const serving = await serve(config, log)
  terminal.stdout.write(welcomeText(serving))
  log.info({ url: serving.addresses.publicUrl, tools: serving.app.runtime.tools().length }, 'up')
  await waitForSignal(terminal)
  await serving.stop()
  return 0
}

/** Waits for SIGINT or SIGTERM. A second signal ends the process at once; other nodes continue its calls. */
function waitForSignal({ stderr }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals): void => {
      if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
      isStopping = true
      stderr.write(
        '\nStopping after running calls have ended. Press Ctrl-C again to stop at once.\n',
      )
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
