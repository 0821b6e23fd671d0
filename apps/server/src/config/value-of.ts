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

/** @throws ConfigError for anything but true and false */
export function flag(raw: RawSettings, name: string, fallback: boolean): boolean {
  const text = raw.text(name)
  if (text === undefined) return fallback
  if (text !== 'true' && text !== 'false') throw new ConfigError(`${name} must be true or false`)
  return text === 'true'
}
