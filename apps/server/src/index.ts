import type { ConfigFile } from './config/read-config.ts'

export { createApp } from './app.ts'
export { type ConfigFile, readConfig } from './config/read-config.ts'

/** For `surehand.config.ts`: `export default defineConfig({ port: 4114, packs: [myPack] })`. */
export function defineConfig(config: ConfigFile): ConfigFile {
  return config
}
