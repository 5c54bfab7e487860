import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port for a program that has to be given one, and starts to listen only later, or again after a
 * stop. It lies below the ports that Linux gives to connections and to a server on port 0 (from
 * 32768), so that no other test gets it in between.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
