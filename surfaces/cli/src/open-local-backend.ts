import type { Backend } from './backend.ts'
import { createLocalBackend } from './local-backend.ts'
import { createOneToolBackend } from './one-tool-backend.ts'
import type { LocalApp } from './options.ts'

/** The app of this machine, for one tool or for all. */
export async function openLocalBackend(
  open: (tool?: string) => Promise<LocalApp>,
  tool: string | undefined,
): Promise<Backend> {
  return tool === undefined
    ? createLocalBackend(await open())
    : createOneToolBackend(await open(tool), open)
}
