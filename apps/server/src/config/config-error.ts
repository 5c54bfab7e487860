/** Something is set wrongly; the message names the setting and the mend. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
