import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Emulated search engines in a process of their own. */
export type LaunchedEngines = {
  /** What takes the place of the pack's settings and secrets. */
  readonly environment: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/** Starts emulators of OpenAI, Gemini and Google Places as a process that ends with this one. */
export async function launchEngines(): Promise<LaunchedEngines> {
  const program = fileURLToPath(new URL('./engines-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${await readPort(child.stdout)}`
  return {
    environment: {
      EXTERNAL_DISCOVERY_ENABLED: 'true',
      SOCIAL_DISCOVERY_ENABLED: 'true',
      MAPS_ENRICHMENT_ENABLED: 'true',
      OPENAI_API_KEY: 'emulated',
      OPENAI_BASE_URL: `${url}/v1`,
      GEMINI_API_KEY: 'emulated',
      GEMINI_URL: url,
      GOOGLE_MAPS_KEY: 'emulated',
      GOOGLE_PLACES_URL: url,
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function readPort(stdout: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: stdout }))
    return (JSON.parse(line) as { readonly port: number }).port
  throw new Error('The emulated search engines ended before they listened.')
}
