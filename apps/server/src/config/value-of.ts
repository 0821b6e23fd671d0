import { secretOf } from '@ergon/process'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'

/** A secret, or the text of the file that holds it. @throws ConfigError without ever repeating a value */
export const valueOf = (raw: RawSettings, name: string): string | undefined =>
  secretOf(
    raw.text,
    name,
    (sentence, cause) => new ConfigError(sentence, { cause }),
    (sentence) => raw.warnings.add(sentence),
  )

/** @throws ConfigError for anything but true and false */
export function flag(raw: RawSettings, name: string, fallback: boolean): boolean {
  const text = raw.text(name)
  if (text === undefined) return fallback
  if (text !== 'true' && text !== 'false') throw new ConfigError(`${name} must be true or false`)
  return text === 'true'
}
