import type { Backend } from './backend.ts'
import { localBackend } from './local-backend.ts'
import { oneToolBackend } from './one-tool-backend.ts'
import type { LocalHouse } from './options.ts'

/** The house of this machine, for one tool or for all. */
export async function openLocalBackend(
  open: (tool?: string) => Promise<LocalHouse>,
  tool: string | undefined,
): Promise<Backend> {
  return tool === undefined ? localBackend(await open()) : oneToolBackend(await open(tool), open)
}
