/** A setting that is missing or contradicts another; the message names the setting and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
