import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'

/** A secret, or the text of the file that holds it. @throws ConfigError without ever repeating a value */
export function valueOf(raw: RawSettings, name: string): string | undefined {
  const file = raw.text(`${name}_FILE`)
  if (file === undefined) return raw.text(name)?.trim()
  if (raw.text(name) !== undefined) throw new ConfigError(`set ${name} or ${name}_FILE, not both`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ConfigError(`${name}_FILE cannot be read`, { cause })
  }
}
