// `surehand.config.ts` imports this module, and the command waits for it: no code besides this.
import type { ConfigFile } from './config/read-config.ts'

export type { ConfigFile } from './config/read-config.ts'

/** For `surehand.config.ts`: `export default defineConfig({ port: 4114, packs: [myPack] })`. */
export function defineConfig(config: ConfigFile): ConfigFile {
  return config
}
