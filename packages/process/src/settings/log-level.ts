/** What a service may be told to write, the most first. */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** What the reference tells about a setting that is a level. */
export const logLevelSays = `The least that is written: ${levels.slice(0, -1).join(', ')}, or silent.`

/** What is wrong with the setting, as a sentence; undefined: nothing. */
export function logLevelFault(name: string, level: string): string | undefined {
  return levels.includes(level) ? undefined : `${name} must be one of ${levels.join(', ')}`
}
