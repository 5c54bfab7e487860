/** A wrong setting; the message names it and says how to fix it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
